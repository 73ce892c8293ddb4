import builtins
import inspect

import pytest

from guardlift.core import errors
from guardlift.core.errors import GuardliftError

ERRORS = [each for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, Exception)]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_every_error_is_ours_and_a_builtin_that_a_caller_would_catch(error: type[Exception]) -> None:
    assert issubclass(error, GuardliftError)
    if error is not GuardliftError:
        others = [base for base in error.__mro__ if not issubclass(base, GuardliftError)]
        assert all(getattr(builtins, base.__name__, None) is base for base in others)
        assert set(others) > {Exception, BaseException, object}
    assert error.__doc__
