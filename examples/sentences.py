"""Made-up sentences of a small grammar, which the examples of text learn: verbs agree with what does them."""

from __future__ import annotations

import numpy as np

THINGS = "cat dog bird child farmer painter sailor teacher king queen robot ghost".split()
PLURALS = {"child": "children"}
WORDS_FOR_THEM = "small old happy hungry tired clever brave quiet red blue".split()
PLACES = "garden kitchen forest harbour tower meadow library street".split()
DONE = {"see": "sees", "hear": "hears", "follow": "follows", "help": "helps", "paint": "paints", "chase": "chases"}
ALONE = {"sing": "sings", "sleep": "sleeps", "laugh": "laughs", "wait": "waits", "dance": "dances"}


def words(count: int, seed: int) -> list[str]:
    """At least `count` words of sentences, each of which ends in a full stop."""
    rng = np.random.default_rng(seed)
    found: list[str] = []
    while len(found) < count:
        found += [*_sentence(rng, 1), "."]
    return found


def _one_of(rng: np.random.Generator, choices: object) -> str:
    options = list(choices)  # type: ignore[call-overload]
    return str(options[rng.integers(len(options))])


def _thing(rng: np.random.Generator, clauses: int) -> tuple[list[str], bool]:
    """Somebody, perhaps with a clause about them; and whether they are many."""
    many = rng.random() < 0.4
    thing = _one_of(rng, THINGS)
    if many:
        thing = PLURALS.get(thing, f"{thing}s")
    found = ["the" if many or rng.random() < 0.5 else "a"]
    if rng.random() < 0.4:
        found.append(_one_of(rng, WORDS_FOR_THEM))
    found.append(thing)
    if clauses and rng.random() < 0.3:
        found += ["who", *_doing(rng, many, clauses - 1)]
    if clauses and rng.random() < 0.2:
        found += ["in", "the", _one_of(rng, PLACES)]
    return found, many


def _doing(rng: np.random.Generator, many: bool, clauses: int) -> list[str]:
    verbs = ALONE if rng.random() < 0.4 else DONE
    verb = _one_of(rng, verbs)
    found = [verb if many else verbs[verb]]
    return found if verbs is ALONE else [*found, *_thing(rng, clauses)[0]]


def _sentence(rng: np.random.Generator, clauses: int) -> list[str]:
    who, many = _thing(rng, clauses)
    return [*who, *_doing(rng, many, clauses)]
