"""Questions about linear algebra: expressions over `L`, `lib` and tensors (see tests/nn/figures/make.py).

Signs of vectors are arbitrary, and so are asked by what does not depend on them.
"""

# ruff: noqa: E501  (an expression a line)

FLOATS = {"a": (3, 3), "b": (3, 2), "v": (3,), "t": (2, 3, 3), "r": (4, 3), "w": (2, 4), "u": (2, 3), "p": (3,)}
CLASSES: dict[str, list[float]] = {}
S = "(a @ a.mT + lib.eye(3))"
"""A symmetric matrix with positive eigenvalues."""
R = "(a + 4 * lib.eye(3))"
"""A regular matrix."""
ABS = "lib.abs"
QUESTIONS = {
    "solve": f"L.solve({R}, b)",
    "solve of a vector": f"L.solve({R}, v)",
    "solve from the right": f"L.solve({R}, b.mT, left=False)",
    "solve of a batch": "L.solve(t + 4 * lib.eye(3), b)",
    "solve of batches of vectors": "L.solve(t + 4 * lib.eye(3), u)",
    "solve_triangular, lower": f"L.solve_triangular({R}, b, upper=False)",
    "solve_triangular, upper, unit": f"L.solve_triangular({R}, b, upper=True, unitriangular=True)",
    "solve_triangular from the right": f"L.solve_triangular({R}, b.mT, upper=True, left=False)",
    "inv": f"L.inv({R})",
    "inv of a batch": "L.inv(t + 4 * lib.eye(3))",
    "inv_ex": f"L.inv_ex({R}).inverse",
    "det": "L.det(a)",
    "det of a batch": "L.det(t)",
    "det of a singular matrix": "L.det(v[:, None] * p)",
    "slogdet": f"L.slogdet({R})[1]",
    "logdet": f"lib.logdet({S})",
    "cholesky": f"L.cholesky({S})",
    "cholesky, upper": f"L.cholesky({S}, upper=True)",
    "cholesky of one triangle": f"L.cholesky({S} + a.triu(1))",
    "cholesky_ex": f"L.cholesky_ex({S}).L",
    "cholesky_solve": f"lib.cholesky_solve(b, L.cholesky({S}))",
    "cholesky_solve, upper": f"lib.cholesky_solve(b, L.cholesky({S}, upper=True), upper=True)",
    "cholesky_inverse": f"lib.cholesky_inverse(L.cholesky({S}))",
    "eigh": f"(lambda e: [e[0], {ABS}(e[1]), e[1] * (e[1].mT @ v)])(L.eigh({S}))",
    "eigh of the upper triangle": f"L.eigh({S} + a.tril(-1), UPLO='U')[0]",
    "eigvalsh": f"L.eigvalsh({S})",
    "eigvalsh of a batch": "L.eigvalsh(t)",
    "svdvals": "L.svdvals(r)",
    "svd": f"(lambda f: [f[1], {ABS}(f[0]), {ABS}(f[2]), f[0] @ lib.diag(f[1] ** 2) @ f[0].mT])(L.svd(r, full_matrices=False))",
    "svd of a wide matrix": f"(lambda f: [f[1], {ABS}(f[0]), {ABS}(f[2])])(L.svd(w, full_matrices=False))",
    "svd of a batch": "L.svd(t, full_matrices=False)[1]",
    "full svd": "(lambda f: [f[1], (f[0][:, :3] * f[1]) @ f[2]])(L.svd(r))",
    "qr": f"(lambda f: [{ABS}(f[0]), {ABS}(f[1]), f[0] @ f[1]])(L.qr(r))",
    "qr of a wide matrix": f"(lambda f: [{ABS}(f[0]), {ABS}(f[1])])(L.qr(w))",
    "qr of a batch": f"(lambda f: [{ABS}(f[0]), {ABS}(f[1])])(L.qr(t))",
    "lu": f"L.lu({R})",
    "lu of a high matrix": "L.lu(r)[1:]",
    "lu of a wide matrix": "L.lu(w)[1:]",
    "lu of a batch": "L.lu(t)",
    "lu_factor": f"L.lu_factor({R})[0]",
    "lu_factor_ex": "L.lu_factor_ex(t + 4 * lib.eye(3)).LU",
    "lu_solve": f"L.lu_solve(*L.lu_factor({R}), b)",
    "lu_solve from the right": f"L.lu_solve(*L.lu_factor({R}), b.mT, left=False)",
    "lu_solve, adjoint": f"L.lu_solve(*L.lu_factor({R}), b, adjoint=True)",
    "lu_solve of a batch": "L.lu_solve(*L.lu_factor(t), b)",
    "householder_product": "L.householder_product(r, 0.5 * p)",
    "householder_product of a batch": "L.householder_product(t, u[:, :2])",
    "pinv": "L.pinv(r)",
    "pinv of a wide matrix": "L.pinv(w)",
    "pinv of a batch": "L.pinv(t)",
    "pinverse": "lib.pinverse(r)",
    "hermitian pinv": f"L.pinv({S}, hermitian=True)",
    "lstsq": "L.lstsq(r, w.mT)[0]",
    "lstsq of a wide matrix": "L.lstsq(w, u[:, :2])[0]",
    "matrix_exp": "L.matrix_exp(0.5 * a)",
    "matrix_exp of a batch": "L.matrix_exp(t)",
    "matrix_power": "L.matrix_power(a, 3)",
    "matrix_power, negative": f"L.matrix_power({R}, -2)",
    "multi_dot": "L.multi_dot([v, a, b, w[:, :3], r.mT])",
    "vecdot": "L.vecdot(u, v)",
    "cross": "L.cross(a, t[0])",
    "diagonal": "L.diagonal(t, offset=1)",
    "vander": "L.vander(v, N=4)",
    "tensorinv": f"L.tensorinv({R}.reshape(3, 1, 3), ind=1)",
    "tensorsolve": f"L.tensorsolve({R}.reshape(3, 3, 1), v)",
    "norm": "[L.norm(a), L.norm(v, 3), L.norm(t, dim=(1, 2)), L.norm(a, 'nuc'), L.norm(a, 2), L.norm(a, dim=1, keepdim=True)]",
    "norm of order inf": "[L.norm(v, float('inf')), L.norm(a, float('inf')), L.norm(a, -1), L.norm(a, -2)]",
    "vector_norm": "[L.vector_norm(t, p, dim=d) for p in (0.5, 1, 2, 3.5, -2) for d in (None, 1, (0, 2))]",
    "matrix_norm": "[L.matrix_norm(t, p) for p in ('fro', 'nuc', 1, -1, 2, -2, float('inf'), -float('inf'))]",
    "matrix_norm along others": "[L.matrix_norm(t, p, dim=(2, 0), keepdim=True) for p in ('fro', 'nuc', 1, 2)]",
    "cond": f"[L.cond({R}), L.cond(r), L.cond(t, -2)]",
    "cond of another order": f"[L.cond({R}.detach(), 1), L.cond({R}.detach(), 'fro'), L.cond(t.detach(), 'nuc'), v * 1.0]",
    "matrix_rank": "[L.matrix_rank(r), L.matrix_rank(t), L.matrix_rank(v[:, None] * p), L.matrix_rank(a + a.mT, hermitian=True), v * 1.0]",
    "inverse": f"lib.inverse({R})",
    "lib.svd": f"(lambda f: [f[1], {ABS}(f[2])])(lib.svd(r))",
    "lib.qr": f"{ABS}(lib.qr(r)[1])",
}
"""The expressions, by what they ask."""
CASES = {name: f"(lambda L: {text})(lib.linalg)" for name, text in QUESTIONS.items()}
FIRST_ORDER: tuple[str, ...] = ()
