import os
import subprocess
import sys
from pathlib import Path

import pytest

from guardlift.core.config import LOG_KINDS, Config, Settings, config
from guardlift.core.errors import SettingValueError, UnknownSettingError


@pytest.fixture
def fresh() -> Config:
    return Config(Settings())


def read(environment: dict[str, str], expression: str) -> subprocess.CompletedProcess[str]:
    """The line that a new process prints for `expression` over `config`, under these variables."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GUARDLIFT_")}
    code = f"from guardlift.core.config import config; print(repr({expression}))"
    return subprocess.run(
        [sys.executable, "-c", code], env=kept | environment, capture_output=True, text=True, check=False
    )


def test_settings_have_their_defaults(fresh: Config) -> None:
    assert (fresh.disable, fresh.recompile_limit, fresh.unroll_limit, fresh.logs) == (False, 8, 64, ())
    assert fresh.trace_without_arrays is False


def test_a_setting_is_changed_in_place(fresh: Config) -> None:
    fresh.recompile_limit = 3
    fresh.logs = ("guards", "kernels")
    assert (fresh.recompile_limit, fresh.logs) == (3, ("guards", "kernels"))


@pytest.mark.spec("S0.08")
def test_patched_settings_come_back_also_after_an_error(fresh: Config) -> None:
    with pytest.raises(ZeroDivisionError), fresh.patch(disable=True, recompile_limit=1):
        assert (fresh.disable, fresh.recompile_limit) == (True, 1)
        raise ZeroDivisionError
    assert (fresh.disable, fresh.recompile_limit) == (False, 8)


def test_a_patch_leaves_alone_what_it_does_not_name(fresh: Config) -> None:
    with fresh.patch(unroll_limit=3):
        fresh.recompile_limit = 2
    assert fresh.recompile_limit == 2 and fresh.unroll_limit == 64


def test_a_follower_that_refuses_a_patch_leaves_the_settings_as_they_were(fresh: Config) -> None:
    def refuse(value: int) -> None:
        if value > 5:
            raise RuntimeError(value)

    fresh.recompile_limit = 4
    fresh.follow("recompile_limit", refuse)
    with pytest.raises(RuntimeError), fresh.patch(recompile_limit=7, unroll_limit=1):
        pytest.fail("the block was entered")
    assert (fresh.recompile_limit, fresh.unroll_limit) == (4, 64)


def test_who_fails_when_first_told_follows_nothing(fresh: Config) -> None:
    with pytest.raises(ZeroDivisionError):
        fresh.follow("recompile_limit", lambda value: 1 // 0)
    fresh.recompile_limit = 3


def test_patches_nest(fresh: Config) -> None:
    with fresh.patch(recompile_limit=1):
        with fresh.patch(recompile_limit=2, disable=True):
            assert (fresh.recompile_limit, fresh.disable) == (2, True)
        assert (fresh.recompile_limit, fresh.disable) == (1, False)


@pytest.mark.spec("S0.08")
def test_an_unknown_setting_is_an_attribute_error_that_lists_the_known(fresh: Config) -> None:
    for touch in (lambda: fresh.recompile_limits, lambda: setattr(fresh, "recompile_limits", 1)):
        with pytest.raises(UnknownSettingError, match="no setting 'recompile_limits'; it has disable, recompile_limit"):
            touch()
    with pytest.raises(AttributeError), fresh.patch(nonsense=1):
        pass


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("recompile_limit", "8", "set to '8'; it takes a value of type int"),
        ("recompile_limit", True, "set to True; it takes a value of type int"),
        ("disable", 1, "set to 1; it takes a value of type bool"),
        ("logs", ["guards"], "it takes a value of type tuple"),
        (
            "logs",
            ("guards", "gards"),
            "names gards; known kinds: aot_graphs, breaks, graphs, guards, hints, kernels, recompiles",
        ),
        ("under_tracing", "maybe", "it takes 'plain' or 'jit'"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_and_nothing_changes(
    fresh: Config, name: str, value: object, message: str
) -> None:
    before = repr(fresh)
    with pytest.raises(SettingValueError, match=message):
        setattr(fresh, name, value)
    with pytest.raises(ValueError, match=message), fresh.patch(error_on_recompile=True, **{name: value}):
        pass
    assert repr(fresh) == before


def test_the_cache_folder_is_the_set_one_or_lies_in_the_users_cache(
    fresh: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/some/cache")
    assert fresh.cache_folder == Path("/some/cache/guardlift")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert fresh.cache_folder == Path.home() / ".cache" / "guardlift"
    fresh.cache_dir = "~/elsewhere"
    assert fresh.cache_folder == Path.home() / "elsewhere"
    fresh.cache_dir = ""
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # not absolute: left out, as the XDG specification asks
    assert fresh.cache_folder == Path.home() / ".cache" / "guardlift"


def test_the_settings_print_by_name(fresh: Config) -> None:
    assert repr(fresh).startswith("gl.config(disable=False, recompile_limit=8")
    assert repr(config).startswith("gl.config(")


@pytest.mark.parametrize(
    ("variable", "text", "expression", "expected"),
    [
        ("GUARDLIFT_DISABLE", "1", "config.disable", "True"),
        ("GUARDLIFT_DISABLE", "off", "config.disable", "False"),
        ("GUARDLIFT_RECOMPILE_LIMIT", "12", "config.recompile_limit", "12"),
        ("GUARDLIFT_LOGS", " guards, kernels ,", "config.logs", "('guards', 'kernels')"),
        ("GUARDLIFT_LOGS", "all", "len(config.logs)", "7"),
        ("GUARDLIFT_CACHE_DIR", "/a/b", "str(config.cache_folder)", "'/a/b'"),
    ],
)
def test_settings_are_read_from_variables(variable: str, text: str, expression: str, expected: str) -> None:
    assert read({variable: text}, expression).stdout.strip() == expected


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("GUARDLIFT_RECOMPILE_LIMIT", "many", "the variable GUARDLIFT_RECOMPILE_LIMIT holds 'many'"),
        ("GUARDLIFT_DISABLE", "perhaps", "the variable GUARDLIFT_DISABLE holds 'perhaps': expected 1 or 0"),
    ],
)
def test_a_variable_that_does_not_parse_stops_the_import_and_says_so(variable: str, text: str, message: str) -> None:
    ran = read({variable: text}, "config")
    assert ran.returncode != 0 and message in ran.stderr


def test_a_wrong_name_of_a_log_is_told_in_one_line_and_the_program_goes_on() -> None:
    ran = read({"GUARDLIFT_LOGS": "gards,kernels"}, "config.logs")
    assert (ran.returncode, ran.stdout.strip()) == (0, "('kernels',)")
    (line,) = ran.stderr.splitlines()
    assert line.startswith("guardlift: the variable GUARDLIFT_LOGS names gards; known kinds: aot_graphs, breaks, ")


def test_all_logs_can_be_named_at_once(fresh: Config) -> None:
    fresh.logs = ("all",)
    assert set(fresh.logs) == LOG_KINDS
    with fresh.patch(logs=("all", "kernels")):
        assert set(fresh.logs) == LOG_KINDS
    with pytest.raises(SettingValueError, match="names gards; known kinds: .*, or all"):
        fresh.logs = ("gards",)


def test_a_follower_is_told_now_and_at_every_change_of_its_setting(fresh: Config) -> None:
    told: list[object] = []
    fresh.follow("unroll_limit", told.append)
    with fresh.patch(unroll_limit=3, trace_limit=5), fresh.patch(unroll_limit=3):
        pass
    fresh.unroll_limit = 7
    assert told == [64, 3, 64, 7]
