"""The grammar of random programs, as data: what an expression of each kind, and a statement, may look like.

`<I>` stands for any expression of kind I, `<$I>` for a variable of that kind, `<=I>` for a name to bind; `<I1>` is the
same text wherever it stands in one template. `<BLOCK>` is an indented block, `<LOOP>` one that may break and continue,
`<TRY>` one that is likely to raise.

Kinds: I int, F float, B bool, S str, A array, V view, L list of ints, M list of arrays, N list of lists, T tuple,
D dict of ints, E dict of arrays, Z set of ints, O object, G function of one int, X anything.
"""

from __future__ import annotations

EXPRESSIONS: dict[str, dict[str, list[str]]] = {
    "core": {
        "I": ["0", "1", "2", "3", "-1", "(<I> + <I>)", "(<I> - <I>)", "(<I> * <I>) % 7", "abs(<I>)", "<I> // 2",
              "(<I> & 3)", "max(<I>, <I>)", "(<I> if <B> else <I>)", "len(<L>)", "sum(<L>)", "<$A>.ndim",
              "-<I>", "divmod(<I>, 3)[1]"],
        "F": ["0.5", "2.0", "-1.5", "0.0", "(<F> + <F>)", "<F> * 0.5", "float(<I>)", "<I> / 2", "(<F> if <B> else <I>)",
              "abs(<F>)", "min(<F>, <I>)", "math.floor(<F>)"],
        "B": ["<I> < <I>", "<I> == <I>", "<F> >= <F>", "not <B>", "(<B> and <B>)", "(<B> or <B>)", "<I> < <I> <= <I>",
              "<$A> is <$A>", "isinstance(<I>, bool)", "<I> in (1, 2)", "<$A>.ndim == 1", "<$X> is None", "bool(<I>)"],
        "A": ["(<A> + <A>)", "(<A> * <I>)", "(<A> - <F>)", "<A> * 0.5", "-<A>", "abs(<A>)", "np.maximum(<A>, <F>)",
              "np.where(<A> > <F>, <A>, <I>)", "<$A>[::-1]", "<$A>.copy()", "<$A>[...]", "np.asarray(<$A>)",
              "np.zeros(3)", "np.ones_like(<$A>)", "np.array([<I>, <F>, 1.0])", "(<A> + <A>.sum())", "<$A>", "<$A>",
              "<$A>.reshape(<$A>.shape)", "(<A> > <F>) * <F>", "<A>.max() - <A>", "np.add(<A>, <I>)", "<$A>.T",
              "np.where(<B>, <A>, <F>)", "(<A> if <B> else <A>)"],
        "V": ["<$A>[1:]", "<$A>[::2]", "<$A>[..., :2]", "<$A>[:0]", "<$V>[::-1]"],
        "T": ["(<I>, <F>)", "(<F>, <I>)", "<$T>[::-1]", "(<I>, *<L>, 1)"],
        "L": ["[<I>, <I>]", "[]", "[<I>]", "<L>[1:]", "<L>[::-1]", "list(<L>)"],
    },
    "arrays": {
        "I": ["<$A>.size", "len(<$L>) + <$A>.ndim", "int(<A>.sum())"],
        "F": ["<A>.sum()", "<V>.sum()", "float(<A>.max())", "<A>.reshape(-1)[0]", "<A>.item(0)"],
        "B": ["(<A> > <F>).any()", "bool((<A> < <F>).all())", "<A>.sum() > <F>"],
        "A": ["<A>.sum(axis=0)", "<A>.astype(np.float32)", "<A>.astype(np.int64)", "np.arange(3)", "<V>.sum() + <A>",
              "np.stack([<A>, <$A>])[0]", "np.full_like(<$A>, <I>)", "np.clip(<A>, <F>, 2)", "np.array(<F>)",
              "np.concatenate([<$A>, <$A>])[:3]", "<A> // 2", "<A> ** 2", "<A> % 3", "np.minimum(<A>, <A>)",
              "sum(<$A>)", "np.array(<L>).sum() + <A>", "(<A> == <A>)", "<$A>[None][0]", "<$A>.ravel()"],
        "V": ["<$A>[[0]]", "<$A>[<A> > <F>]", "np.zeros(0)"],
    },
    "lists": {
        "I": ["<L1>[<I> % max(len(<L1>), 1)]", "<L>[0]", "<L>.count(<I>)", "min(<L>, default=<I>)", "<$N>[0][0]",
              "len(<$N>)", "next(iter(<L>), <I>)"],
        "B": ["<I> in <L>", "bool(<L>)", "<$L> is <$L>", "<L> == <L>", "<L> < <L>", "<$N>[0] is <$N>[-1]"],
        "L": ["<$L> + [<I>]", "sorted(<L>)", "list(reversed(<L>))", "<$L>.copy()", "[*<$L>, <I>]", "list(range(<I> % 4))",
              "<$L>", "<$L>", "<$N>[0]", "<$L>[:<I>]", "sorted(<L>, key=lambda q: -q)", "list(<$T>)"],
        "M": ["[<A>, <A>]", "[<$A>] * 2", "<$M>[:1] + [<A>]", "[<$A>, <$A>]", "[q * 2 for q in <$M>]"],
        "N": ["[<L>, <L>]", "[[] for q in range(2)]", "[<$L>] * 2", "[<$L>, <$L>, <L>]"],
        "A": ["<$M>[0]", "<$M>[-1] * 2", "sum(<$M>)"],
        "T": ["tuple(<L>) + (0, 0.5)", "(<$L>, <$L>)", "(<I>, <$L>)"],
    },
    "dicts": {
        "I": ["<D>.get('a', <I>)", "<$D>['a']", "len(<D>)", "sum(<D>.values())", "<$D>.setdefault('s', <I>)"],
        "B": ["'a' in <D>", "<D> == <D>", "'zz' in <$D>", "<$D> is <$D>", "list(<$D>) == ['a', 'b']"],
        "D": ["{'a': <I>, 'b': <I>}", "{**<$D>, 'c': <I>}", "{k: v + 1 for k, v in <$D>.items()}", "<$D>.copy()", "<$D>",
              "dict(zip('ab', <L>), a=<I>)", "dict(a=<I>)", "dict(<$D>, b=2)", "<$D> | {'a': <I>}"],
        "E": ["{'p': <A>, 'q': <A>}", "{'p': <$A>, 'q': <$A>}"],
        "A": ["<$E>['p']", "<$E>['q'] + 1"],
        "L": ["list(<D>.values())", "[len(k) for k in <D>]"],
    },
    "sets": {
        "I": ["len(<Z>)"],
        "B": ["<I> in <Z>", "<Z> <= <Z>", "bool(<Z>)"],
        "Z": ["{<I>, <I>}", "set(<L>)", "(<Z> | <Z>)", "{q % 3 for q in <L>}", "(<Z> - <Z>)", "<$Z>", "frozenset(<L>)"],
        "L": ["sorted(<Z>)", "list(<Z>)"],
    },
    "strings": {
        "I": ["len(<S>)", "<S>.count('a')", "ord(<S>[0])"],
        "B": ["<S> == <S>", "<S>.startswith('a')", "'a' in <S>", "bool(<S>)", "<S> < <S>"],
        "S": ["'a'", "'bc'", "''", "(<S> + <S>)[-9:]", "f'{<$I>}-{<$S>}'", "f'{<$F>:.2f}'", "f'{<$I>!r:>4}'", "<S>.upper()",
              "<S>[::-1]", "str(<I>)", "'-'.join(str(q) for q in <L>)", "<S>.replace('a', 'b')", "'%d' % <I>",
              "str(<$A>.shape)", "type(<$X>).__name__", "'{}'.format(<I>)", "<$S>", "<S>.strip('a')", "f'{<$T>}'",
              "(<S> * 2)[:5]", "str(<$A>.dtype)"],
    },
    "objects": {
        "I": ["<$O>.n", "<$O>.double", "<$O>.bump(<I>)", "C.level", "<$O>.level", "type(<$O>).level", "len(<$O>)",
              "<$O>.made(<I>).n", "<$O>.plus(<I>, <I>)", "getattr(<$O>, 'extra', <I>)", "<$O>[<I>]", "<$O>.fallback"],
        "F": ["<$O>.w"],
        "B": ["hasattr(<$O>, 'extra')", "<$O> is <$O>", "isinstance(<$O>, Sub)", "<$O> == <$O>", "bool(<$O>)"],
        "A": ["<$O>.a", "<$O>.scaled(<A>)", "<$O>(<A>)", "(<$O> + <A>)"],
        "L": ["<$O>.items", "list(<$O>)", "[q.n for q in (<$O>, <$O>)]"],
        "O": ["<$O>", "<$O>", "C(<I>, <A>)", "Sub(<I>, <$A>)", "C.made(<I>)"],
    },
    "functions": {
        "I": ["helper(<I>)", "helper(<I>, <I>, k=<I>)", "helper(*<L>, 1)", "<$G>(<I>)", "(lambda q, w=<I>: q + w)(<I>)",
              "helper(<I>, **{'k': <I>, 'm': <I>})", "apply(lambda q: q + <I>, <I>)", "apply(<$G>, <I>)",
              "functools.reduce(lambda p, q: p - q, <L>, <I>)", "counter()", "apply(helper, <I>)", "remember(<I>)"],
        "A": ["doubled(<A>)", "apply(doubled, <A>)", "blend(<A>, <A>)", "blend(<A>, <A>, weight=<F>)"],
        "G": ["(lambda q: q + <I>)", "<$G>", "functools.partial(helper, k=<I>)", "adder(<I>)"],
        "L": ["remember.__defaults__[0]"],
    },
    "iteration": {
        "I": ["sum(q for q in <L>)", "sum(gen(<I> % 4))", "max(q for q in [*<L>, <I>])", "next(gen(3))",
              "sum(p * q for p in <L> for q in <L>) % 97", "next((q for q in <L> if q > <I>), <I>)"],
        "B": ["any(q > <I> for q in <L>)", "all(q < <I> for q in <L>)"],
        "L": ["[q + <I> for q in <L>]", "[q for q in <L> if q > <I>]", "list(gen(3))", "list(map(lambda q: q + 1, <L>))",
              "list(filter(None, <L>))", "[p * q for p, q in zip(<L>, <L>)]", "list(itertools.chain(<L>, [<I>]))",
              "[k for k, q in enumerate(<L>)]", "[[p, q][0] for p in <L> for q in (1, 2)][:4]", "list(relay(<L>))"],
        "A": ["sum([q * <A> for q in (1, 2)])"],
    },
    "globals": {
        "I": ["G_I", "G_L[0]", "G_D['a']"],
        "A": ["G_A", "G_A * <I>"],
        "L": ["G_L"],
        "D": ["G_D"],
        "O": ["G_O"],
    },
    "cells": {"I": ["c1"], "L": ["c2"]},
}  # fmt: skip

STATEMENTS: dict[str, list[str]] = {
    "core": [
        "<=I> = <I>", "<=F> = <F>", "<=A> = <A>", "<=A> = <A>", "<=A> = <$A>", "<=B> = <B>", "<=T> = <T>", "<=L> = <L>",
        "<=I>, <=F> = <I>, <F>", "<=A>, <=A> = <$A>, <$A>", "<$I> += <I>", "<$F> *= 0.5", "<$A> += <I>", "<$A> *= <F>",
        "<=A> = <=A> = <A>", "<=X> = <X>", "<=V> = <V>",
        "<I>", "<F>", "<A>", "if <B>:\n<BLOCK>", "if <B>:\n<BLOCK>\nelse:\n<BLOCK>", "if <B>:\n<BLOCK>\nelif <B>:\n<BLOCK>\nelse:\n<BLOCK>",
        "for <=I> in range(<I> % 4):\n<LOOP>", "for <=I> in range(3):\n<LOOP>\nelse:\n<BLOCK>",
    ],
    "arrays": [
        "<$A>[0] = <F>", "<$A>[...] = <A>", "<$A>[1:] = <F>", "<$V> *= 2", "<$V> += <I>", "<$V>[...] = <F>",
        "<$A>[1:] += <$A>[:-1]", "<$A> -= <A>", "np.add(<$A>, <I>, out=<$A>)", "<$A>[<A> > <F>] = <F>", "<$A>[-1] += <I>",
        "for row in <$A>:\n    row += 1", "<$A>.fill(<F>)", "<$A>[0], <$A>[-1] = <$A>[-1], <$A>[0]", "<=V> = <$A>[1:]",
        "if (<A> > <F>).any():\n<BLOCK>\nelse:\n<BLOCK>", "while <A>.sum() > 40:\n    <=A> = <A> * 0.5\n    break",
        "<$V>[:1] = <F>",
    ],
    "lists": [
        "<$L>.append(<I>)", "<$L>[0] = <I>", "<$L>.insert(0, <I>)", "<$L>.extend([<I>, <I>])", "<$L>.pop()", "<=L> = <$L>",
        "<$L> += [<I>]", "del <$L>[0]", "<$L>[1:] = [<I>]", "<$L>.sort()", "<$L>.reverse()", "<=N> = <N>", "<=M> = <M>",
        "<$N>[0].append(<I>)", "<$M>[0] = <A>", "<$M>[0] *= 2", "<$M>.append(<A>)", "<=I>, *<=L> = [<I>, *<L>]",
        "<=I>, (<=I>, <=I>) = <I>, [<I>, <I>]", "for <=I> in <L>[:4]:\n<LOOP>", "<$L>.clear()", "<=I> = <$L>.pop(0)",
        "for <=A> in <$M>[:3]:\n<LOOP>", "for <=I>, <=A> in zip(<L>, <$M>):\n<LOOP>", "<$L>[<I>] += <I>",
        "<$N>.append(<$L>)", "for <=L> in <$N>[:3]:\n<LOOP>", "<$L>[::2] = [<I>] * len(<$L>[::2])",
    ],
    "dicts": [
        "<$D>['a'] = <I>", "<$D>['a'] += <I>", "<$D>['n'] = <I>", "<$D>.pop('b', None)", "<$D>.update(a=<I>)", "<=D> = <D>",
        "<=E> = <E>", "<$E>['p'] = <A>", "<$E>['p'] += 1", "del <$D>['a']", "for k, <=I> in <$D>.items():\n<BLOCK>",
        "<$D>.setdefault('z', <I>)", "<=D> = <$D>", "for k in list(<$D>):\n    <$D>[k] = <I>", "<$D> |= {'m': <I>}",
        "<$D>.clear()", "<$D>[<I>] = <I>",
    ],
    "sets": ["<=Z> = <Z>", "<$Z>.add(<I>)", "<$Z>.discard(<I>)", "<=Z> = <$Z>", "for <=I> in sorted(<Z>)[:3]:\n<LOOP>"],
    "strings": ["<=S> = <S>", "<$S> += str(<I> % 9)", "for ch in <S>[:3]:\n<LOOP>", "<=S> = <S>"],
    "objects": [
        "<=O> = <O>", "<$O>.n = <I>", "<$O>.n += <I>", "<$O>.a = <A>", "<$O>.a += <I>", "<$O>.items.append(<I>)",
        "<$O>.extra = <I>", "<=O> = <$O>", "<$O>.bump(<I>)", "C.level = <I>", "<$O>.w = <F>", "<$O>.double = <I>",
        "setattr(<$O>, 'extra', <I>)", "<$O>.__dict__['n'] = <I>", "del <$O>.extra", "<$O>[<I>] = <I>", "<$O>.a[0] = <F>",
        "<$O>.items = <$L>", "<$O>.friend = <$O>",
    ],
    "functions": [
        "<=G> = <G>", "def inner(p, *rest, k=<I>, **more):\n    return p + k + len(rest) + len(more)\n<=I> = inner(<I>, 1, z=2)",
        "def inner(p, q=<$L>):\n    q.append(p)\n    return q\n<=L> = inner(<I>)\n<=L> = inner(<I>)",
        "total = <I>\ndef inner(p):\n    nonlocal total\n    total += p\n    return total\n<=I> = inner(<I>) + inner(1)\n<=I> = total",
        "fs = [lambda: k for k in range(3)]\n<=I> = fs[0]()", "fs = [lambda k=k: k for k in range(3)]\n<=I> = fs[0]()",
        "def inner(p):\n    p = p * 2\n    return p if <B> else -p\n<=A> = inner(<A>)", "<=I> = remember(<I>)", "counter()",
        "box = <A>\ndef inner():\n    return box\nbox = box + 1\n<=A> = inner()", "def inner(p):\n    return p + <I>\n<=G> = inner",
    ],
    "iteration": [
        "it = iter(<L>[:4])\n<=I> = next(it, <I>)\nfor <=I> in it:\n<LOOP>", "for <=I> in gen(3):\n<LOOP>",
        "for <=I>, <=I> in enumerate(<L>[:3]):\n<LOOP>", "for <=I>, <=I> in zip(<L>, gen(5)):\n<BLOCK>",
        "g = (q * <I> for q in <$L>)\n<$L>.append(1)\n<=L> = list(g)", "left# = <I> % 4\nwhile left# > 0:\n    left# -= 1\n<LOOP>",
        "left# = 2\nwhile left#:\n    left# -= 1\n<LOOP>\nelse:\n<BLOCK>", "for <=I> in relay(<L>[:3]):\n<LOOP>",
        "if (w := <I>) > <I>:\n<BLOCK>", "g = gen(4)\n<=I> = next(g)\n<=I> = next(g)",
    ],
    "exceptions": [
        "try:\n<TRY>\nexcept ValueError:\n<BLOCK>", "try:\n<TRY>\nexcept (KeyError, IndexError) as error:\n    note(error.args)\n<BLOCK>",
        "try:\n<TRY>\nexcept Exception as error:\n    note(type(error).__name__, str(error))\nelse:\n<BLOCK>",
        "try:\n<TRY>\nfinally:\n<BLOCK>", "try:\n<TRY>\nexcept LookupError:\n<BLOCK>\nfinally:\n<BLOCK>",
        "try:\n<TRY>\nexcept Exception:\n    note('again')\n    raise", "try:\n<TRY>\nexcept Oops as error:\n    <=I> = error.code\nexcept Exception:\n<BLOCK>",
        "try:\n<TRY>\nexcept ZeroDivisionError as error:\n    raise Oops(<I>) from error", "assert <B>, <I>", "try:\n<TRY>\nexcept Exception:\n<BLOCK>",
        "for <=I> in range(2):\n    try:\n        if <B>:\n            continue\n        <=I> = <L>[<I>]\n    except IndexError:\n        break\n    finally:\n        note('f')",
        "try:\n    helper()\nexcept TypeError as error:\n    note(str(error))", "try:\n    <=I> = risky(<I>)\nexcept Oops:\n<BLOCK>",
    ],
    "with": [
        "with managed(<I>) as <=I>:\n<BLOCK>", "with Guard(<I>):\n<BLOCK>", "with Guard(1):\n<TRY>", "with contextlib.suppress(LookupError):\n<TRY>",
        "with contextlib.nullcontext(<I>) as <=I>:\n<BLOCK>", "with managed(1), Guard(<I>):\n<BLOCK>",
    ],
    "notes": ["note(<X>)", "note(<I>, <$X>)", "OUT.write(str(<I>))", "print(<I>, file=OUT)", "LOG.append(<I>)", "push(<I>)", "note(<$A>.copy())", "push(<$X>)"],
    "globals": ["global G_I\nG_I = <I>", "global G_I\nG_I += 1", "G_L.append(<I>)", "G_D['a'] = <I>", "G_A[0] = <F>", "G_O.n = <I>",
                "global G_A\nG_A = <A>", "G_D['k'] = <$A>", "G_L[0] += 1"],
    "cells": ["c1 += 1", "c1 = <I>", "c2.append(<I>)", "c2 = <L>"],
    "returns": ["if <B>:\n    return <X>", "return <X>", "if <B>:\n    return <$A>, <I>"],
}  # fmt: skip

RAISING = [
    "raise ValueError(<I>)", "<=I> = <L>[9]", "<=I> = {}['zz']", "<=I> = <I> // (<I1> - <I1>)", "raise Oops(<I>)",
    "if <B>:\n    raise KeyError('k')", "<=I> = int('x')", "<=I> = risky(<I>)", "<$A>.reshape(7)", "<$O>.nothing",
    "raise IndexError", "<=I> = [].pop()", "<=I> = 'a' + 1", "assert <B>, 'no'", "<=A> = <A> + np.ones(5)", "<=I> = next(iter([]))",
]  # fmt: skip

LEAVES = {"I": "1", "F": "0.5", "B": "True", "S": "'ab'", "A": "np.ones(3)", "V": "np.ones(2)", "L": "[1, 2]",
          "M": "[np.ones(3)]", "N": "[[1], [2]]", "T": "(1, 0.5)", "D": "{'a': 1}", "E": "{'p': np.ones(3), 'q': np.ones(3)}",
          "Z": "{1}", "O": "C(1, np.ones(3))", "G": "(lambda q: q)"}  # fmt: skip
ARGUMENTS: dict[str, list[str]] = {
    "I": ["1", "2", "0", "-1", "3", "True", "np.int64(2)"],
    "F": ["0.5", "-1.5", "2", "0.0", "-0.0", "np.float64(1.5)", "np.float32(0.5)"],
    "A": ["np.array([1.5, -2.0, 0.25])", "np.array([0.5, 3.0, -1.0])", "np.array([3, -1, 2])", "np.array([1.5, 0.0, 2.0], np.float32)",
          "np.array(1.5)", "np.array([[1.0, 2.0, 3.0], [-1.0, 0.5, 0.0]])", "np.array([2.0])", "np.arange(6.0)[::2]",
          "np.array([True, False, True])", "np.zeros(0)", "G_A", "np.arange(4.0)[1:]"],
    "L": ["[1, 2, 3]", "[3, 0]", "[]", "[2]", "[1, 2.5, 3]", "G_L", "[True, 1]"],
    "D": ["{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", "{'a': 3}", "{'a': 1.5, 'b': 2, 'c': 0}", "G_D", "{}"],
    "S": ["'ab'", "'b'", "''", "'aXa'"],
    "O": ["C(2, np.array([1.0, 2.0, -1.0]))", "Sub(1, np.array([0.5, 2.0, -1.0]))", "C(0, G_A)", "G_O", "C(1.5, np.ones(3))"],
    "M": ["[np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.0, -1.0])]", "[G_A, G_A]", "[np.ones(3)]", "[np.array([1, 2, 3])]"],
}  # fmt: skip
