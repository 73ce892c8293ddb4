"""Pages in a real browser, from `file://`: Debian's chromium through selenium.

`GUARDLIFT_TEST_BROWSER=required`, which `.ci/run` sets, makes a missing browser an error.
`GUARDLIFT_TEST_PICTURES=docs/img` makes the pictures of the documentation anew.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
DIGITS = Path("..", "..", "..", "examples", "digits.py")
PROGRAMS = {
    "digits": [str(DIGITS), "--epochs", "10", "--explanation", os.devnull],
    "deep": ["deep_program.py"],
    "hostile": ["hostile_program.py"],
    "drifting": ["drifting_program.py"],
}
LARGEST = {"digits": 1_000_000, "deep": 5_000_000, "hostile": 1_000_000, "drifting": 1_000_000}
PHONE, DESK = (360, 640), (1000, 700)

pytestmark = pytest.mark.slow

Open = Callable[[str], Any]


def _why_no_browser() -> str:
    """Why there is no browser here; empty where there is one."""
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    if missing:
        return f"{' and '.join(missing)} not installed"
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "selenium is not installed"
    return ""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    why = _why_no_browser()
    if why and os.environ.get("GUARDLIFT_TEST_BROWSER") != "required":
        pytest.skip(why)
    assert not why, why
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.set_capability("unhandledPromptBehavior", "ignore")
    service = webdriver.ChromeService(str(shutil.which("chromedriver")))
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_page_load_timeout(60)
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The page of a program by its name, made by the command once."""
    folder = tmp_path_factory.mktemp("pages")
    command = [sys.executable, "-m", "guardlift.tools.explain"]

    def page(name: str) -> Path:
        file = folder / f"{name}.html"
        if not file.exists():
            record = folder / f"{name}.gl"
            environment = {**os.environ, "PYTHONHASHSEED": "0"}
            for words in (["-o", str(record), *PROGRAMS[name]], ["report", str(record), "-o", str(file)]):
                done = subprocess.run(
                    [*command, *words],
                    cwd=HERE,
                    env=environment,
                    capture_output=True,
                    text=True,
                    timeout=300,
                    check=False,
                )
                assert done.returncode == 0, done.stderr
        return file

    return page


@pytest.fixture
def opened(browser, pages) -> Callable[..., Any]:
    """Opens the page of a program in a window of a size."""

    def open_page(name: str, size: tuple[int, int] = DESK, *, dark: bool = False, at: str = "") -> Any:
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        browser.get("about:blank")
        for log in ("browser", "performance"):
            browser.get_log(log)
        browser.get(pages(name).as_uri() + at)
        return browser

    return open_page


def requests(browser: Any) -> list[str]:
    """The addresses that were asked for."""
    found = []
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append(message["params"]["request"]["url"])
    return found


def press(browser: Any, *keys: str) -> None:
    from selenium.webdriver import ActionChains

    for key in keys:
        ActionChains(browser).send_keys(key).perform()


def press_with_shift(browser: Any, key: str) -> None:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    ActionChains(browser).key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT).perform()


def wait_for(reached: Callable[[], bool]) -> None:
    """Waits for what the browser does after it has answered. Errors: AssertionError, after ten seconds."""
    end = time.monotonic() + 10
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.02)


def focused(browser: Any, what: str = "textContent") -> str:
    return str(browser.execute_script("return document.activeElement[arguments[0]] || ''", what))


def tab_to(browser: Any, reached: Callable[[], bool], *, most: int = 400) -> None:
    """Presses the tabulator until something is reached."""
    from selenium.webdriver.common.keys import Keys

    for _ in range(most):
        press(browser, Keys.TAB)
        if reached():
            return
    raise AssertionError(f"not reached by {most} tabulators; the focus is at {focused(browser, 'outerHTML')[:200]}")


def function_names(browser: Any) -> list[str]:
    return list(
        browser.execute_script(
            "return JSON.parse(document.getElementById('data').textContent).functions.map((f) => f.name)"
        )
    )


def heading(browser: Any) -> str:
    return str(
        browser.execute_script(
            "return [...document.querySelectorAll('h1')].find((h) => h.checkVisibility()).textContent"
        )
    )


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_a_page_asks_for_nothing_says_nothing_and_shows_every_function(name, opened, pages) -> None:
    assert pages(name).stat().st_size < LARGEST[name]
    browser = opened(name)
    browser.execute_script("window.alert = () => { window.alerted = true; }")
    names = function_names(browser)
    assert names
    for number, function in enumerate(names):
        browser.execute_script("location.hash = arguments[0]", f"f{number}")
        browser.execute_async_script("setTimeout(arguments[0])")
        browser.execute_script(
            "document.querySelectorAll('#function details').forEach((each) => { each.open = true; each.fill(); })"
        )
        assert heading(browser) == function
        assert not browser.execute_script(
            "return document.querySelector('#function img, #function script, #results img')"
        )
    assert requests(browser) == [pages(name).as_uri()]
    assert browser.get_log("browser") == []
    assert browser.execute_script("return window.alerted") is None


@pytest.mark.parametrize("name", list(PROGRAMS))
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_page_has_to_be_scrolled_sideways_on_a_phone(name, dark, opened) -> None:
    browser = opened(name, PHONE, dark=dark)
    widths = "return [document.documentElement.scrollWidth, window.innerWidth]"
    for number in range(-1, len(function_names(browser))):
        browser.execute_script("location.hash = arguments[0]", f"f{number}" if number >= 0 else "overview")
        browser.execute_async_script("setTimeout(arguments[0])")
        browser.execute_script(
            "document.querySelectorAll('details').forEach((each) => { each.open = true; if (each.fill) each.fill(); })"
        )
        needed, there = browser.execute_script(widths)
        assert needed <= there == PHONE[0], f"{name}, page {number}"
    back = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (back == "rgb(255, 255, 255)") is not dark


def test_every_page_is_reached_by_keyboard_alone(opened) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = opened("drifting")
    overview, names = heading(browser), function_names(browser)
    press(browser, Keys.TAB)
    assert focused(browser) == "Skip to the content"
    assert browser.execute_script("return document.activeElement.getBoundingClientRect().left") >= 0
    for number, name in enumerate(names):
        tab_to(browser, lambda number=number: focused(browser, "hash") == f"#f{number}")
        outline = browser.execute_script("return getComputedStyle(document.activeElement).outlineWidth")
        assert outline == "3px"
        press(browser, Keys.ENTER)
        wait_for(lambda name=name: heading(browser) == focused(browser) == name)
        tab_to(browser, lambda: focused(browser, "tagName") == "SUMMARY")
        press(browser, Keys.ENTER)
        wait_for(lambda: browser.execute_script("return document.activeElement.parentElement.open"))
        press(browser, "/")
        while focused(browser, "id") != "home":
            press_with_shift(browser, Keys.TAB)
        press(browser, Keys.ENTER)
        wait_for(lambda: heading(browser) == overview)


def test_the_search_finds_a_guard_and_leads_to_it(opened) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = opened("deep")
    press(browser, "/")
    assert focused(browser, "id") == "search"
    press(browser, *"momentum")
    found = browser.find_elements("css selector", "#results a[href*='.g']")
    assert found and all("momentum" in each.text for each in found)
    target = found[0].get_attribute("hash")[1:]
    tab_to(browser, lambda: focused(browser, "hash") == f"#{target}")
    press(browser, Keys.ENTER)
    wait_for(lambda: focused(browser, "id") == target)
    assert "momentum" in focused(browser)
    assert browser.execute_script("return document.activeElement.checkVisibility()")
    press(browser, "/", *"no such thing anywhere")
    assert browser.find_element("id", "found").text == "nothing found"
    press(browser, Keys.ESCAPE)
    assert browser.find_element("id", "found").text == "" and focused(browser, "id") == "search"


def test_names_of_objects_in_javascript_are_found_as_any_other(opened) -> None:
    from selenium.webdriver.common.keys import Keys

    browser = opened("hostile")
    for name in ("__proto__", "constructor"):
        press(browser, "/", *name)
        results = [each.text for each in browser.find_elements("css selector", "#results a")]
        assert name in results
        press(browser, Keys.ESCAPE)
        browser.execute_script("document.activeElement.blur()")


@pytest.mark.parametrize(
    ("picture", "size", "dark", "at"),
    [("report_on_a_phone", PHONE, False, ""), ("report_of_a_function_dark", (1000, 1180), True, "#f0")],
)
def test_pictures_of_pages(picture, size, dark, at, opened, tmp_path) -> None:
    folder = Path(os.environ.get("GUARDLIFT_TEST_PICTURES") or tmp_path)
    taken = opened("drifting", size, dark=dark, at=at).get_screenshot_as_png()
    (folder / f"{picture}.png").write_bytes(taken)
    assert taken.startswith(b"\x89PNG") and 5_000 < len(taken) <= 150_000
