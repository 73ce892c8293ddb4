"""Programs of function transforms, as text that means the same in PyTorch and here.

`gl` is the library, `F` its transforms, `nn` its layers. Arguments are named tensors of `arrays`.
"""

from __future__ import annotations

import numpy as np

ARGUMENTS = {
    "x": (3,),
    "y": (3,),
    "m": (4, 3),
    "n": (3, 5),
    "k": (4, 3, 2),
    "w": (2, 3),
    "b": (2,),
    "s": (4,),
    "p": (4,),
}
"""The shapes of the arguments."""


def arrays() -> dict[str, np.ndarray]:
    """The arguments by name: floats between -1 and 1, those of `p` above 0."""
    rng = np.random.default_rng(28)
    found = {name: rng.uniform(-1, 1, shape) for name, shape in ARGUMENTS.items()}
    found["p"] = np.abs(found["p"]) + 0.5
    found["i"] = np.array([0, 2, 1, 2])
    found["c"] = np.array([1, 0, 1, 0])
    return found


VALUES = {
    # gradients
    "grad": "lambda x: F.grad(lambda a: (a * a.sin()).sum())(x)",
    "grad of an argument by number": "lambda x, y: F.grad(lambda a, b: (a * b.exp()).sum(), argnums=1)(x, y)",
    "grad of several arguments": "lambda x, y: F.grad(lambda a, b: (a * b.exp()).sum(), argnums=(0, 1))(x, y)",
    "grad counts arguments from the end": "lambda x, y: F.grad(lambda a, b: (a * b.exp()).sum(), argnums=-1)(x, y)",
    "grad of a tree": "lambda x, y: F.grad(lambda d: (d['a'] * d['b'][0].exp()).sum())({'a': x, 'b': [y]})",
    "grad with aux": "lambda x: F.grad(lambda a: ((a ** 3).sum(), {'twice': a * 2}), has_aux=True)(x)",
    "grad with keywords": "lambda x, y: F.grad(lambda a, *, b: (a * b).cos().sum())(x, b=y)",
    "grad of an unused argument": "lambda x, y: F.grad(lambda a, b: a.sum(), argnums=(0, 1))(x, y)",
    "grad of a constant": "lambda x: F.grad(lambda a: gl.ones((), dtype=gl.float64) * 2)(x)",
    "grad and value": "lambda x: F.grad_and_value(lambda a: (a * a).prod())(x)",
    "grad and value with aux": "lambda x: F.grad_and_value(lambda a: ((a * a).prod(), a), has_aux=True)(x)",
    "grad of grad": "lambda x: F.grad(lambda a: F.grad(lambda b: (b ** 4).sum())(a).sum())(x)",
    "third derivative": "lambda x: F.vmap(F.grad(F.grad(F.grad(gl.sin))))(x)",
    "grad inside of what is differentiated": (
        "lambda x, y: F.grad(lambda a: (a * F.grad(lambda b: (a * b * b).sum())(y)).sum())(x)"
    ),
    "grad through no_grad": "lambda x: F.grad(lambda a: (a * under_no_grad(lambda: a * 2)).sum())(x)",
    "grad through detach": "lambda x: F.grad(lambda a: (a * a.detach()).sum())(x)",
    "grad through writes in place": "lambda x: F.grad(lambda a: written(a.clone()).sum())(x)",
    "grad through a view": "lambda n: F.grad(lambda a: (a.T[1:, :2] * a[:2, 1:].T).sum())(n)",
    # products with Jacobians
    "vjp": "lambda x, y: (lambda o, f: (o, f(y)))(*F.vjp(lambda a: a * a.sum(), x))",
    "vjp of trees": (
        "lambda x, y: (lambda o, f: (o, f({'s': y.sum(), 'd': [y, y]})))"
        "(*F.vjp(lambda a: {'s': a.prod(), 'd': [a.sin(), a * 2]}, x))"
    ),
    "vjp of several primals": "lambda x, y: F.vjp(lambda a, b: a * b.exp(), x, y)[1](x)",
    "vjp with aux": "lambda x: F.vjp(lambda a: (a.sin(), a.cos()), x, has_aux=True)[2]",
    "vjp called twice": "lambda x, y: (lambda f: (f(x), f(y)))(F.vjp(lambda a: a.sin().cumsum(0), x)[1])",
    "grad of vjp": "lambda x, y: F.grad(lambda a: F.vjp(lambda b: b ** 3, a)[1](y)[0].sum())(x)",
    "jvp": "lambda x, y: F.jvp(lambda a: (a * a.sum()).sin(), (x,), (y,))",
    "jvp of trees": "lambda x, y: F.jvp(lambda d: {'o': d['a'] * d['b']}, ({'a': x, 'b': y},), ({'a': y, 'b': x},))",
    "jvp with aux": "lambda x, y: F.jvp(lambda a: (a.sin(), a * 3), (x,), (y,), has_aux=True)",
    "jvp of a constant": "lambda x, y: F.jvp(lambda a: gl.ones(2, dtype=gl.float64), (x,), (y,))",
    "jvp through detach": "lambda x, y: F.jvp(lambda a: a * a.detach(), (x,), (y,))",
    "jvp of jvp": "lambda x, y: F.jvp(lambda a: F.jvp(lambda b: b ** 4, (a,), (y,))[1], (x,), (y,))",
    "jvp of grad": "lambda x, y: F.jvp(F.grad(lambda a: (a ** 3).prod()), (x,), (y,))",
    "grad of jvp": "lambda x, y: F.grad(lambda a: F.jvp(lambda b: (b ** 3).prod(), (a,), (y,))[1])(x)",
    "jvp inside of what is carried forward": (
        "lambda x, y: F.jvp(lambda a: a * F.jvp(lambda b: a * b * b, (y,), (y,))[1], (x,), (y,))"
    ),
    "linearize": "lambda x, y: (lambda o, f: (o, f(y), f(x)))(*F.linearize(lambda a: a.sin() * a.sum(), x))",
    # Jacobians
    "jacrev": "lambda x: F.jacrev(lambda a: a * a.sum())(x)",
    "jacrev of a matrix": "lambda n: F.jacrev(lambda a: a.sin().sum(0))(n)",
    "jacrev of trees": "lambda x: F.jacrev(lambda a: {'v': a * a, 's': (a.sum(),)})(x)",
    "jacrev by several arguments": "lambda x, y: F.jacrev(lambda a, b: (a * b, a.sum()), argnums=(0, 1))(x, y)",
    "jacrev with aux": "lambda x: F.jacrev(lambda a: (a * a, a.exp()), has_aux=True)(x)",
    "jacrev in chunks": "lambda x: F.jacrev(lambda a: a * a.sum(), chunk_size=2)(x)",
    "jacfwd": "lambda x: F.jacfwd(lambda a: a * a.sum())(x)",
    "jacfwd of a matrix": "lambda n: F.jacfwd(lambda a: a.sin().sum(1))(n)",
    "jacfwd by several arguments": "lambda x, y: F.jacfwd(lambda a, b: (a * b, {'a': a}), argnums=(0, 1))(x, y)",
    "jacfwd with aux": "lambda x: F.jacfwd(lambda a: (a * a, a.exp()), has_aux=True)(x)",
    "hessian": "lambda x: F.hessian(lambda a: (a ** 3).sum() * a[0])(x)",
    "hessian by several arguments": "lambda x, y: F.hessian(lambda a, b: (a * b ** 2).sum(), argnums=(0, 1))(x, y)",
    "jacfwd of jacfwd": "lambda x: F.jacfwd(F.jacfwd(lambda a: a.prod() * a))(x)",
    "jacrev of jacfwd": "lambda x: F.jacrev(F.jacfwd(lambda a: a.prod() * a))(x)",
    "hessians of many": "lambda m: F.vmap(F.hessian(lambda a: (a ** 3).prod()))(m)",
    "hessian of a layer": (
        "lambda x, w, b: F.hessian(lambda v: nn.functional.softplus(nn.functional.linear(x, v, b)).prod())(w)"
    ),
    # many calls at once
    "vmap": "lambda m: F.vmap(lambda a: a * a.sum())(m)",
    "vmap over other axes": "lambda k, n: F.vmap(lambda a, b: a @ b, in_dims=(2, None), out_dims=1)(k, n)",
    "vmap of trees": "lambda m, s: F.vmap(lambda d, e: {'o': d['a'] * e, 'p': (d['a'].sum(),)})({'a': m}, s)",
    "vmap of a tree in part": (
        "lambda m, x: F.vmap(lambda d: d['a'] * d['b'], in_dims=({'a': 0, 'b': None},))({'a': m, 'b': x})"
    ),
    "vmap to several axes": "lambda m: F.vmap(lambda a: (a, a[:, None] * a), out_dims=(1, -1))(m)",
    "vmap of a constant": "lambda m: F.vmap(lambda a: gl.ones(2, dtype=gl.float64))(m)",
    "vmap of what no call owns": "lambda m, x: F.vmap(lambda a: x * 2, out_dims=None)(m)",
    "vmap with keywords": "lambda m, x: F.vmap(lambda a, *, b: a * b)(m, b=x)",
    "vmap in vmap": "lambda m, n: F.vmap(lambda a: F.vmap(lambda b: (a * b).sum(), in_dims=1)(n))(m)",
    "vmap in vmap over both": "lambda k: F.vmap(F.vmap(lambda a: a.cumsum(0) / a.norm(), in_dims=1, out_dims=1))(k)",
    "vmap in chunks": "lambda m, s: F.vmap(lambda a, b: a * b, chunk_size=3)(m, s)",
    "vmap in chunks to another axis": "lambda m: F.vmap(lambda a: a * 2, out_dims=1, chunk_size=3)(m)",
    "vmap of writes": "lambda m: F.vmap(lambda a: written(a.clone()))(m)",
    "vmap of writes into zeros": "lambda m: F.vmap(lambda a: gl.zeros_like(a).add_(a.sin()))(m)",
    "vmap of writes into new zeros": "lambda m: F.vmap(lambda a: a.new_zeros(2, 3).add_(a.sin()))(m)",
    "vmap of where": "lambda m: F.vmap(lambda a: gl.where(a > 0, a.sqrt(), a * a[0]))(m)",
    "vmap of subscripts": "lambda m: F.vmap(lambda a: gl.stack([a[0], a[-1], a[1:].sum()]))(m)",
    "vmap of an index": "lambda m, i: F.vmap(lambda a, j: a[j])(m, i)",
    "vmap of an index into one tensor": "lambda m, i: F.vmap(lambda j: m[j])(i)",
    "vmap of rows that are picked": "lambda k, i: F.vmap(lambda a, j: a.index_select(0, j.reshape(1)))(k, i)",
    "vmap of gather": "lambda m, i: F.vmap(lambda a, j: a.gather(0, j.reshape(1)))(m, i)",
    "vmap of sort": "lambda m: F.vmap(lambda a: a.sort(descending=True)[0])(m)",
    "vmap of argmax": "lambda k: F.vmap(lambda a: (a.argmax(0), a.argmax(), a.max(0)[0]))(k)",
    "vmap of reductions": "lambda k: F.vmap(lambda a: (a.mean(0), a.var(1), a.prod(), a.logsumexp(-1), a.amax(0)))(k)",
    "vmap of softmax": "lambda k: F.vmap(lambda a: (a.softmax(0), a.log_softmax(-1)))(k)",
    "vmap of einsum": "lambda k, n: F.vmap(lambda a: gl.einsum('ij,ik->jk', a, n))(k)",
    "vmap of shapes": "lambda k: F.vmap(lambda a: a.T.reshape(6).view(2, 3).flip(0).unsqueeze(1).expand(2, 2, 3))(k)",
    "vmap of cat": "lambda m, x: F.vmap(lambda a: gl.cat([a, x, a * 2]))(m)",
    "vmap of roll and pad": "lambda m: F.vmap(lambda a: nn.functional.pad(a.roll(1), (1, 2)))(m)",
    "vmap of a layer": "lambda m, w, b: F.vmap(lambda a: nn.functional.linear(a, w, b).tanh())(m)",
    "vmap over weights": "lambda x, k: F.vmap(lambda v: nn.functional.linear(x, v.T))(k)",
    "vmap of layer norm": "lambda k, b: F.vmap(lambda a: nn.functional.layer_norm(a, (2,), b, b))(k)",
    "vmap of layer norm over weights": "lambda k: F.vmap(lambda a: nn.functional.layer_norm(a, (2,), a[0], a[1]))(k)",
    "vmap of cross entropy": "lambda m, i: F.vmap(lambda a, t: nn.functional.cross_entropy(a, t))(m, i)",
    "vmap of an embedding": "lambda i, n: F.vmap(lambda j: nn.functional.embedding(j, n))(i)",
    "vmap of solve by powers": "lambda k, p: F.vmap(lambda a, e: a.abs() ** e)(k, p)",
    "vmap of integers": "lambda i, c: F.vmap(lambda a, b: (a + b, a == b, a // 2, a.float()))(i, c)",
    # of both
    "grads of many": "lambda m: F.vmap(F.grad(lambda a: (a ** 3).prod()))(m)",
    "grads by what all share": "lambda m, x: F.vmap(F.grad(lambda v, a: (v * a).sin().sum()), in_dims=(None, 0))(x, m)",
    "grad of many": "lambda m: F.grad(lambda a: F.vmap(lambda r: r.prod() * r[0])(a).sum())(m)",
    "grad of what all share": "lambda m, x: F.grad(lambda v: F.vmap(lambda a: (v * a).sin().sum())(m).prod())(x)",
    "jvps of many": "lambda m, x: F.vmap(lambda a: F.jvp(lambda b: b.sin() * b.sum(), (a,), (x,)))(m)",
    "jvps of one along many": "lambda x, m: F.vmap(lambda t: F.jvp(lambda b: b.sin() * b.sum(), (x,), (t,))[1])(m)",
    "jvp of many": "lambda m: F.jvp(F.vmap(lambda a: a * a.prod()), (m,), (m.sin(),))",
    "vjps along many": "lambda x, m: F.vmap(F.vjp(lambda b: b.sin() * b.sum(), x)[1])(m)",
    "grad of grads of many": (
        "lambda m, x: F.grad(lambda v: F.vmap(F.grad(lambda a: (v * a ** 3).sum()))(m).prod(0).sum())(x)"
    ),
    "Jacobians of many": "lambda m: F.vmap(F.jacrev(lambda a: a * a.prod()))(m)",
    "forward Jacobians of many": "lambda m: F.vmap(F.jacfwd(lambda a: a * a.prod()))(m)",
    "Jacobian of many": "lambda n: F.jacrev(F.vmap(lambda a: a.prod()))(n)",
    "grads of a loss of a layer": (
        "lambda m, i, n: F.vmap(F.grad(lambda v, a, t: nn.functional.cross_entropy((a @ v)[None], t[None])),"
        " in_dims=(None, 0, 0))(n, m, i)"
    ),
}
"""By name: a program, whose parameters name its arguments."""

ERRORS = {
    "a gradient of something with axes": "lambda x: F.grad(lambda a: a * 2)(x)",
    "a gradient of a number": "lambda x: F.grad(lambda a: 2.0)(x)",
    "a gradient of a tuple": "lambda x: F.grad(lambda a: (a.sum(),))(x)",
    "no such argument": "lambda x: F.grad(lambda a: a.sum(), argnums=1)(x)",
    "an argument twice": "lambda x: F.grad(lambda a: a.sum(), argnums=(0, 0))(x)",
    "no argument": "lambda x: F.grad(lambda a: a.sum(), argnums=())(x)",
    "a gradient by a number": "lambda x: F.grad(lambda a: x.sum())(3.0)",
    "a gradient by integers": "lambda i: F.grad(lambda a: a.sum())(i)",
    "no aux": "lambda x: F.grad(lambda a: a.sum(), has_aux=True)(x)",
    "three outputs with aux": "lambda x: F.grad(lambda a: (a.sum(), a, a), has_aux=True)(x)",
    "aux that is no tensor": "lambda x: F.grad(lambda a: (a.sum(), 3), has_aux=True)(x)",
    "a write into a leaf": "lambda x: F.grad(lambda a: a.mul_(2).sum())(x)",
    "vjp of a number": "lambda x: F.vjp(lambda a: 3, x)",
    "vjp by a number": "lambda x: F.vjp(lambda a: a, 3.0)",
    "vjp of bools": "lambda x: F.vjp(lambda a: a > 0, x)",
    "cotangents of another form": "lambda x: F.vjp(lambda a: (a, a), x)[1](x)",
    "cotangents of another shape": "lambda x, m: F.vjp(lambda a: a, x)[1](m)",
    "jvp without a tuple": "lambda x: F.jvp(lambda a: a, x, (x,))",
    "tangents without a tuple": "lambda x: F.jvp(lambda a: a, (x,), x)",
    "too many tangents": "lambda x: F.jvp(lambda a: a, (x,), (x, x))",
    "tangents of another shape": "lambda x, m: F.jvp(lambda a: a, (x,), (m,))",
    "jvp of a number": "lambda x: F.jvp(lambda a: 3, (x,), (x,))",
    "jvp of a constant, strictly": "lambda x: F.jvp(lambda a: gl.ones(2), (x,), (x,), strict=True)",
    "chunks of nothing in jacrev": "lambda x: F.jacrev(lambda a: a, chunk_size=0)(x)",
    "vmap over two sizes": "lambda m, x: F.vmap(lambda a, b: a)(m, x)",
    "vmap with too few axes": "lambda m: F.vmap(lambda a, b: a, in_dims=(0,))(m, m)",
    "vmap with axes of another form": "lambda m: F.vmap(lambda d: d['a'], in_dims=({'b': 0},))({'a': m})",
    "vmap over an axis that is not there": "lambda x: F.vmap(lambda a: a, in_dims=2)(x)",
    "vmap over no axis": "lambda x: F.vmap(lambda a: a, in_dims=None)(x)",
    "vmap over no argument": "lambda x: F.vmap(lambda a: a, in_dims=(None,))(x)",
    "vmap over a number": "lambda x: F.vmap(lambda a: a)(3.0)",
    "vmap without arguments": "lambda x: F.vmap(lambda: x)()",
    "vmap of a number": "lambda x: F.vmap(lambda a: 3)(x)",
    "vmap of a tensor and a number": "lambda x: F.vmap(lambda a: (a, 3))(x)",
    "vmap of what is mapped, to no axis": "lambda x: F.vmap(lambda a: a, out_dims=None)(x)",
    "vmap to too many axes": "lambda x: F.vmap(lambda a: a, out_dims=(0, 0))(x)",
    "vmap to too few axes": "lambda x: F.vmap(lambda a: (a, a), out_dims=(0,))(x)",
    "vmap to an axis that is not there": "lambda x: F.vmap(lambda a: a, out_dims=3)(x)",
    "another randomness": "lambda x: F.vmap(lambda a: a, randomness='any')(x)",
    "chunks of nothing": "lambda x: F.vmap(lambda a: a, chunk_size=0)(x)",
    "a draw where none is allowed": "lambda x: F.vmap(lambda a: a + gl.rand(()))(x)",
    "a branch": "lambda x: F.vmap(lambda a: a if a > 0 else -a)(x)",
    "item": "lambda x: F.vmap(lambda a: a * a.item())(x)",
    "a write into what all calls share": "lambda m: F.vmap(lambda a: gl.zeros(()).add_(a.sum()))(m)",
    "a shape that depends on values": "lambda m: F.vmap(lambda a: a.nonzero())(m)",
    "backward": "lambda m: F.vmap(lambda a: a.sum().backward())(m)",
}
"""By name: a program that raises."""
