# Everything runs in `.venv`, which is made on demand; `make help` lists the targets.
#   make PYTHON=/path/to/python3.12 test      with another interpreter (on a fresh .venv)
#   make test TESTS="tests/graph -x"          a part of the tests

VENV := .venv
PYTHON ?= $(shell .ci/pythons --first)
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Of each test function that runs over a list, so many cases: `CASES=` runs all. A part that is named in TESTS runs whole.
CASES ?= --cases 10
SLOW_CASES ?= --cases 5
OTHER_CASES ?= --cases 3
TESTS ?= tests -n 2 $(CASES)

# Processes that tests start would each compile the whole package to bytecode.
unexport PYTHONDONTWRITEBYTECODE

# A stamp per set of extras: made again when pyproject.toml changes, so a second call starts at once.
DEMO := $(VENV)/.installed-demo
TEST := $(VENV)/.installed-test
DEV := $(VENV)/.installed-dev
DOCS := $(VENV)/.installed-docs
CUDA_VENV := .venv-cuda
CUDA := $(CUDA_VENV)/.installed

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo docs test test-slow test-all environments test-others test-numba test-numpy conformance conformance-one fuzz lint bench bench-interpreters bench-gallery bench-guards bench-breaks bench-steps bench-models bench-memory bench-hand bench-cuda bench-artifacts bench-start accuracy stress ptx ptx-run gpu gpu-rehearse gpu-pack spec docs-tables programs clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

demo: $(DEMO) ## train on real digits, run the heat equation, make points of noise, and explain what compiled
	$(BIN)/python examples/digits.py
	$(BIN)/python examples/saved_hooks.py
	$(BIN)/python examples/packed_mlp.py
	$(BIN)/python examples/digits_numpy.py
	$(BIN)/python examples/heat.py
	$(BIN)/python examples/diffusion.py --steps 1000
	$(BIN)/guard-explain examples/digits_numpy.py

docs: $(DOCS) ## build the documentation as a site: build/docs/index.html
	$(BIN)/sphinx-build -b html -n -W --keep-going -j auto -d build/docs-pages docs build/docs

test: $(TEST) ## run the tests, all but those marked slow or long, with some of the cases of each
	$(BIN)/pytest $(TESTS)

test-slow: $(TEST) $(DOCS) ## run the tests marked slow, with a few of the cases of each
	$(BIN)/pytest tests -m slow -n 2 $(SLOW_CASES)

test-all: ## run all cases of all tests, the slow and the long ones too, on every CPython 3.11 to 3.15 that is installed, pyenv's included
	$(MAKE) --no-print-directory test TESTS='tests -n 2 -m ""'
	$(MAKE) --no-print-directory test-others OTHERS='-m ""' BETWEEN= OTHER_CASES=

# Kernels are made from text, the same on every interpreter; the first one has also run all random programs. Layers,
# optimizers and distributions are made of what tests/tensor and tests/autograd test.
OTHERS ?= --ignore=tests/backend --ignore=tests/loop_ir --ignore=tests/ops --ignore=tests/graph --ignore=tests/examples --ignore=tests/repository --ignore=tests/nn --ignore=tests/optim --ignore=tests/func --ignore=tests/linalg --ignore=tests/distributions --ignore=tests/distributed
# Eager tensors, the rules of NumPy's functions, commands and files read no bytecode, but they count references and word
# errors: the newest interpreter runs their tests as well.
BETWEEN ?= --ignore=tests/tensor --ignore=tests/autograd --ignore=tests/runtime --ignore=tests/gallery --ignore=tests/frontend/numpy --ignore=tests/aot --ignore=tests/tools --ignore=tests/utils --ignore=tests/serialization --ignore=tests/amp --ignore=tests/docs --ignore=tests/array_api

test-numba: $(TEST) ## the kernel suite and the random programs, with kernels compiled by Numba
	GUARDLIFT_KERNEL_COMPILER=numba $(BIN)/pytest tests/backend tests/fuzz tests/gallery -n 2

environments: $(TEST) ## make the environments that test-others runs in
	@set -e; for python in $$(.ci/pythons --not $(BIN)/python); do \
		minor=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		$(MAKE) --no-print-directory .venv-$$minor/.installed-test VENV=.venv-$$minor PYTHON=$$python; \
	done

test-others: $(TEST) ## on every installed CPython but the one in .venv, run the tests of what depends on it
	@.ci/pythons --make >/dev/null
	@set -e; less=; for python in $$(.ci/pythons --not $(BIN)/python); do \
		minor=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "== CPython $$minor: $$python"; \
		GUARDLIFT_FUZZ=50 $(MAKE) --no-print-directory test VENV=.venv-$$minor PYTHON=$$python TESTS='tests -n 2 $(OTHER_CASES) $(OTHERS)'" $$less"; \
		less='$(BETWEEN)'; \
	done

# What calls NumPy, or imitates it. PIP_CONSTRAINT is pip's own variable.
NUMPY_PYTHONS ?= $$(.ci/pythons)
NUMPY_TESTS ?= tests/frontend/numpy tests/frontend/values tests/frontend/regions tests/frontend/tensors tests/tensor tests/ops tests/guards tests/backend/cpu tests/core

test-numpy: ## on every installed CPython, run the tests of what depends on NumPy with the oldest NumPy that there is for it
	@set -e; for python in $(NUMPY_PYTHONS); do \
		minor=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		echo "== CPython $$minor, $$(grep "\"$$minor\"" .ci/oldest-numpy.txt)"; \
		PIP_CONSTRAINT=$(CURDIR)/.ci/oldest-numpy.txt GUARDLIFT_FUZZ=50 $(MAKE) --no-print-directory test \
			VENV=.venv-$$minor-oldest-numpy PYTHON=$$python TESTS='$(NUMPY_TESTS) -n 2 $(OTHER_CASES)'; \
	done

conformance: conformance-one ## run CPython's own tests jitted, on every installed CPython; write docs/conformance.md
	@.ci/pythons --make >/dev/null
	@set -e; for python in $$(.ci/pythons --not $(BIN)/python); do \
		minor=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
		$(MAKE) --no-print-directory conformance-one VENV=.venv-$$minor PYTHON=$$python; \
	done

# What is not clean is listed in the page: it does not stop the run.
conformance-one: $(TEST)
	-$(BIN)/python tests/conformance/cpython.py

fuzz: $(TEST) ## compare many random programs, plain and jitted (about an hour)
	HYPOTHESIS_PROFILE=fresh GUARDLIFT_FUZZ=3000 $(BIN)/pytest tests/fuzz/test_programs.py tests/fuzz/test_interrupts.py tests/frontend/tensors/test_programs.py -n 2 -m ""
	HYPOTHESIS_PROFILE=fresh GUARDLIFT_FUZZ=2000 $(BIN)/pytest tests/fuzz/test_sizes.py tests/fuzz/test_tensor_sizes.py -n 2 -m ""
	GUARDLIFT_FUZZ=10000 $(BIN)/pytest tests/fuzz/test_native_loops.py -n 2 -m ""
	GUARDLIFT_FUZZ=20000 $(BIN)/pytest tests/fuzz/test_language.py -n 2 -m ""
	GUARDLIFT_FUZZ=2000 $(BIN)/pytest tests/fuzz/test_saved_hooks.py -n 2 -m ""

stress: $(TEST) ## eight threads call and change things for a minute; a thousand optimizers come and go
	$(BIN)/python -P tests/stress/threads.py
	$(BIN)/python -P tests/stress/leaks.py

# mypy must see the root folder under the package's name, whatever the folder is called: hence the link.
lint: $(DEV) ## check style with ruff and types with mypy
	$(BIN)/ruff check .
	@mkdir -p .cache/lint && ln -sfn ../.. .cache/lint/guardlift
	cd .cache/lint && ../../$(BIN)/mypy --config-file guardlift/pyproject.toml --cache-dir ../mypy -p guardlift

# -P: a folder of the root may bear the name of a package that the benchmarks compare with.
bench: $(TEST) ## measure calls, throughput, products, eager mode, training, start-up; print tables
	$(BIN)/python -P benchmarks/run.py

bench-interpreters: $(TEST) ## the same tasks on every interpreter that test-others has an environment for, in turn
	$(BIN)/python -P benchmarks/interpreters.py $(BENCH)

bench-gallery: $(TEST) ## time tests/gallery: NumPy, Numba, jitted, and without checks; BENCH="--rounds 3 life" for a part
	$(BIN)/python -P benchmarks/gallery.py $(BENCH)
	$(BIN)/python -P benchmarks/checks.py $(BENCH)

bench-guards: $(TEST) ## what a call costs beside its work, by the number of parameters, beside torch.compile
	$(BIN)/python -P benchmarks/guards.py $(BENCH)

bench-breaks: $(TEST) ## what graph breaks cost a training step, beside torch.compile
	$(BIN)/python -P benchmarks/breaks.py $(BENCH)

bench-models: $(TEST) ## training steps of eight models, beside PyTorch eager and compiled; BENCH="LSTM" for a part
	$(BIN)/python -P benchmarks/models.py $(BENCH)

bench-steps: $(TEST) ## the training programs of tests/frontend/tensors/steps, jitted beside eager; BENCH="dropout" for a part
	$(BIN)/python -P benchmarks/steps.py $(BENCH)

bench-memory: $(TEST) ## the memory of a training step, with saved-tensor hooks in the compiled code and without
	$(BIN)/python -P benchmarks/memory.py $(BENCH)

bench-hand: $(TEST) ## large arrays on all threads, beside kernels written by hand for Numba
	$(BIN)/python -P benchmarks/hand_written.py

bench-cuda: $(CUDA) ## what calls on a GPU cost the host, with kernels that do nothing (needs a C++ compiler, no GPU)
	$(CUDA_VENV)/bin/python tests/backend/cuda/stand_in/build.py $(CUDA_VENV)/bin/python -P benchmarks/cuda_calls.py

bench-artifacts: $(TEST) ## first calls in fresh processes, with artifacts on disk and without
	$(BIN)/python -P benchmarks/artifacts.py $(BENCH)

bench-start: $(TEST) ## whole processes with empty and with full caches, beside JAX and torch.compile; BENCH="--rounds 3 chain"
	$(BIN)/python -P benchmarks/start.py $(BENCH)

accuracy: $(TEST) ## how exact kernels' functions are, float32 over all operands (15 minutes); writes docs/accuracy.md; FUNCTIONS="exp log" for a part
	$(BIN)/python -P benchmarks/accuracy.py $(FUNCTIONS)

# An environment of its own: PTX must be of the toolkit that ptxas is from, and most tests need none of it.
ptx: $(CUDA) ## compile CUDA kernels to PTX, assemble them, and print registers and spills (needs no GPU)
	$(CUDA_VENV)/bin/python -P benchmarks/ptx.py

# The tests of kernels on a GPU, by a stand-in for the driver that translates PTX to C.
PTX_RUN ?= tests/backend/cuda/cases_*.py -n 2 -m ""
ptx-run: $(CUDA) ## run the tests of the GPU with its real PTX, on the CPU (needs a C++ compiler, no GPU); PTX_RUN="..." for a part
	GUARDLIFT_TEST_DRAW=stand-in $(CUDA_VENV)/bin/python tests/backend/cuda/stand_in/build.py $(CUDA_VENV)/bin/pytest $(PTX_RUN)

# For a machine that may have no network: nothing is installed, and python3 does where there is no .venv-cuda.
GPU_PYTHON ?= $(if $(wildcard $(CUDA_VENV)/bin/python),$(CUDA_VENV)/bin/python,python3)
gpu: ## on a machine with a GPU: check every form of kernel, test, measure (at most 8 minutes); report in build/gpu; GPU="bench softmax" for a part
	$(GPU_PYTHON) -P benchmarks/gpu $(GPU)

gpu-pack: $(CUDA) ## pack the code of all that `make gpu` runs, for a machine without a compiler or a network (needs a C++ compiler, no GPU); PACK="forms" for a part
	$(CUDA_VENV)/bin/python tests/backend/cuda/stand_in/build.py $(CUDA_VENV)/bin/python -P benchmarks/gpu/pack.py $(PACK)

gpu-rehearse: $(CUDA) ## the same at tiny sizes, without a GPU, on the stand-in for its driver (needs a C++ compiler)
	STAND_IN_RACE=0 $(CUDA_VENV)/bin/python tests/backend/cuda/stand_in/build.py $(CUDA_VENV)/bin/python -P benchmarks/gpu --rehearse --folder build/gpu-rehearsal $(GPU)

spec: $(BIN)/python ## compare docs/behaviours.md with the behaviours that tests name
	$(BIN)/python tests/spec.py

docs-tables: $(TEST) ## write the pages that follow from the code anew: docs/opcodes.md, graph_breaks.md, commands.md, recompiles.md and others
	$(BIN)/python docs/tables.py

programs: $(TEST) ## make the IR of the native runtime's programs anew; needed after a change in backend/cpu/runner
	$(BIN)/python -m guardlift.backend.cpu.compiler.ship_programs

clean: ## remove the environments, caches and build folders
	rm -rf .venv .venv-3.* .venv-cuda .cache .hypothesis tests/.pytest_cache .ruff_cache .mypy_cache build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@python="$(PYTHON)"; test -n "$$python" || exit 1; echo "making $(VENV) with $$python"; "$$python" -m venv $(VENV)

$(DEMO): $(BIN)/python pyproject.toml
	@echo "installing guardlift[demo] into $(VENV)"
	@$(PIP) install --editable '.[demo]'
	@touch $@

$(TEST): $(BIN)/python pyproject.toml
	@echo "installing guardlift[demo,test] into $(VENV)"
	@$(PIP) install --editable '.[demo,test]'
	@touch $@

$(DEV): $(BIN)/python pyproject.toml
	@echo "installing guardlift[dev] into $(VENV)"
	@$(PIP) install --editable '.[dev]'
	@touch $@

$(DOCS): $(BIN)/python pyproject.toml
	@echo "installing guardlift[docs] into $(VENV)"
	@$(PIP) install --editable '.[docs]'
	@touch $@

$(CUDA): pyproject.toml
	@python="$(PYTHON)"; test -n "$$python" || exit 1; echo "making $(CUDA_VENV) with $$python"; "$$python" -m venv $(CUDA_VENV)
	@echo "installing guardlift[cuda13,numba-cuda,test] into $(CUDA_VENV)"
	@$(CUDA_VENV)/bin/python -m pip --disable-pip-version-check --quiet install --editable '.[cuda13,numba-cuda,test]' \
		'cuda-toolkit==13.0.*' 'nvidia-nvvm==13.0.*' 'nvidia-nvjitlink==13.0.*'
	@touch $@
