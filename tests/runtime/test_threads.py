import pytest

import guardlift as gl


def test_the_number_is_that_of_the_setting() -> None:
    with gl.config.patch(num_threads=3):
        assert gl.get_num_threads() == 3
        gl.set_num_threads(5)
        assert gl.config.num_threads == gl.get_num_threads() == 5
    assert gl.config.num_threads == 0 and gl.get_num_threads() >= 1


@pytest.mark.parametrize(
    ("number", "error", "message"),
    [(0, RuntimeError, "was given 0; it takes 1 or more"), (-1, RuntimeError, "1 or more"), (2.0, TypeError, "an int")],
)
def test_what_is_no_number_of_threads_is_refused(number: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gl.set_num_threads(number)  # type: ignore[arg-type]
    with pytest.raises(gl.SettingValueError, match="0 or more"):
        gl.config.num_threads = -1
