"""The kinds of state that a trace can read in objects of classes below a built-in type; see mutations.py."""

from __future__ import annotations

from frontend.mutations import Mutation

CLASSES = """
import collections
class Row(list):
    def first(self): return self[0]
class Config(dict): pass
class Celsius(float): pass
class Name(str): pass
class Pair(tuple): pass
"""


def of_held(kind: str, value: str, expression: str, change: str, back: str, **options: bool) -> Mutation:
    """A fact about K, read by an expression."""
    text = f"{CLASSES}K = {value}\ndef f(x): return {expression}"
    return Mutation(f"held: {kind}", text, change, back, **options)


HOLDERS = [
    of_held("element of a list", "Row([1.0, 2.0])", "x * K.first()", "K[0] = 5.0", "K[0] = 1.0"),
    of_held("length of a list", "Row([1.0])", "[x * each for each in K]", "K.append(2.0)", "K.pop()"),
    of_held("value of a dict", "Config(a=1.0)", "x * K['a']", "K['a'] = 5.0", "K['a'] = 1.0"),
    of_held("keys of a dict", "Config(a=1.0)", "[x * len(k) for k in K]", "K['bb'] = 1.0", "del K['bb']"),
    of_held("order of a dict", "Config(a=1, bb=1)", "[x * len(k) for k in K]", "K['a'] = K.pop('a')", "K['bb'] = K.pop('bb')"),
    of_held("number", "Celsius(2.0)", "x * (K + 1), K > 1", "K = Celsius(0.5)", "K = Celsius(2.0)"),
    of_held("number to a plain one", "Celsius(2.0)", "x * (K + 1), K", "K = 2.0", "K = Celsius(2.0)"),
    of_held("text", "Name('ab')", "x * len(K), K", "K = Name('abc')", "K = Name('ab')"),
    of_held("tuple", "Pair((1.0, 2.0))", "x * (K[0] + 1), K", "K = Pair((1.0, 3.0, 4.0))", "K = Pair((1.0, 2.0))"),
    of_held("attribute", "Row([1.0])\nK.tag = 2.0", "x * (K.tag + 1)", "K.tag = 'a'; K.tag = 3.0", "K.tag = 2.0"),
    of_held("class of one", "Row([1.0])", "x * len(K)", "K = Config(a=1)", "K = Row([1.0])"),
    of_held("special method of the class", "Row([1.0])", "x * len(K)", "Row.__len__ = lambda self: 7", "del Row.__len__"),
    of_held("iteration of the class", "Row([1.0])", "[x * each for each in K]", "Row.__iter__ = lambda self: iter([9.0])", "del Row.__iter__"),
    of_held("a method that guards could ask", "Config(a=1.0)", "x * K.get('a')", "Config.get = lambda self, key: 4.0", "del Config.get"),
    of_held("order of an OrderedDict", "collections.OrderedDict(a=1.0, bb=2.0)", "[x * len(k) for k in K]", "K.move_to_end('a')", "K.move_to_end('bb')"),
    of_held("factory of a defaultdict", "collections.defaultdict(int)", "x * (len(K) + 1), K.default_factory", "K.default_factory = list", "K.default_factory = int"),
    of_held("count", "collections.Counter('aab')", "x * K['a'] + K['none']", "K['a'] = 7", "K['a'] = 2"),
    of_held("lists within a defaultdict", "collections.defaultdict(list, a=[1.0])", "x * K['a'][0]", "K['a'][0] = 2.0", "K['a'][0] = 1.0"),
    of_held("map of a ChainMap", "collections.ChainMap({}, {'a': 2.0})", "x * K['a']", "K['a'] = 7.0", "del K['a']"),
    of_held("data of a UserList", "collections.UserList([1.0])", "x * K.data[0]", "K.append(1); K[0] = 5.0", "K.pop(); K[0] = 1.0"),
]  # fmt: skip
