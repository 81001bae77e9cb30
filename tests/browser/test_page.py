"""The page of `make local` in a real browser: what a person sees, on a desktop and on a phone."""

import re

import httpx
import pytest

from tests.browser.conftest import Watched
from tests.browser.filled import ATTACK

pytestmark = pytest.mark.browser
SECTIONS = ("timeline?hours=168", "dashboards/fleet?hours=168", "slack", "mail/0")


def test_the_timeline_shows_jobs_and_pools_in_lanes_by_team(desktop: Watched) -> None:
    page = desktop.open("timeline?hours=168")
    chart = page.locator(".chart svg")
    for text in ("language", "speech", "vision", "ml.g4dn.xlarge", "llama-weekend"):
        assert chart.get_by_text(text, exact=True).count() == 1, text
    legend = page.locator(".legend").inner_text()
    for status in ("Training", "Interrupted", "Warm pool, idle", "Failed", "Stopped"):
        assert status in legend
    assert "53 jobs" in page.locator(".figures").inner_text().replace("\n", " ")


def test_hovering_a_span_tells_what_it_is(desktop: Watched) -> None:
    page = desktop.open("timeline?hours=168")
    page.locator(".chart svg").get_by_text("llama-weekend").hover()
    told = page.locator(".hover").inner_text()
    assert "llama-weekend" in told
    assert "Training" in told
    assert "1 \N{MULTIPLICATION SIGN} ml.g5.12xlarge" in told


def test_the_jobs_are_a_table_too(desktop: Watched) -> None:
    row = desktop.open("timeline?hours=168").get_by_role("row", name="hostile").inner_text()
    assert "Failed" in row
    assert ATTACK in row


def test_a_shorter_time_shows_fewer_jobs(desktop: Watched) -> None:
    page = desktop.open("timeline?hours=168")
    page.get_by_role("link", name="3 h", exact=True).click()
    page.get_by_role("row", name="mon-crops-3").wait_for(state="detached")
    assert page.get_by_role("row", name="hostile").count() == 1


def test_a_dashboard_is_drawn_from_its_body_and_metrics(desktop: Watched) -> None:
    page = desktop.open("dashboards/fleet?hours=168")

    def widget(title: str) -> str:
        return page.locator(".widget", has=page.get_by_role("heading", name=title, exact=True)).inner_text()

    assert re.search(r"Hit rate\s*\d+(\.\d)? %", widget("Warm starts"))
    assert re.search(r"US dollars of vision\s*[\d.]+", widget("Retained"))
    assert all(team in widget("Idle cost by team") for team in ("vision", "language", "speech"))
    assert all(text in widget("Messages") for text in ("Slack", "e-mail", "rate limit"))
    assert "No data in this time" in widget("Nothing was published")
    assert re.search(r"1 ALARM\s*1 no data\s*ALARM\s*Idle-pools\s*no data\s*Undelivered", widget("Alarms"))
    assert ATTACK in widget("Reasons")
    assert "out of memory" in widget("Failures")
    assert "no metric or expression has the id m1" in widget("Not known here")
    assert "<script>" in page.locator(".markdown").inner_text()


def test_numbers_have_the_unit_that_a_label_or_title_names(desktop: Watched) -> None:
    page = desktop.open("dashboards/fleet?hours=168")
    shown = page.locator(".widget", has=page.get_by_role("heading", name="Spot, US$")).inner_text()
    assert re.search(r"saved\s*\$46\.60\s*saved\s*63\.7 %\s*wait\s*2 min 30 s", shown), shown


def test_many_lines_that_are_all_zero_are_said_in_one_number(desktop: Watched) -> None:
    page = desktop.open("dashboards/fleet?hours=168")
    shown = page.locator(".widget", has=page.get_by_role("heading", name="Zeros")).inner_text()
    assert re.search(r"0\s*in all 7 of them, the whole time", shown), shown


def test_a_dashboards_variable_is_chosen_at_its_top(desktop: Watched) -> None:
    page = desktop.open("dashboards/fleet?hours=168")
    page.get_by_label("Team").select_option("Speech")
    page.get_by_text("US dollars of speech").wait_for()
    assert page.get_by_text("US dollars of vision").count() == 0
    page.get_by_role("link", name="3 days").click()
    page.wait_for_timeout(500)
    assert page.get_by_text("US dollars of speech").count() == 1  # the choice outlives another range of time


def test_the_channel_shows_blocks_as_slack_does(desktop: Watched) -> None:
    page = desktop.open("slack")
    message = page.locator(".message").first
    assert message.get_by_role("heading").inner_text() == "✅ mon-crops-1 completed"
    assert message.locator("code").inner_text() == "s3://artifacts/model.tar.gz"
    assert message.locator("strong", has_text="Owner:").count() == 1
    link = message.get_by_role("link", name="Job in the console")
    assert (link.get_attribute("href"), link.get_attribute("rel")) == (
        "https://console.example/jobs",
        "noopener noreferrer",
    )
    assert message.get_by_role("button", name="Keep warm").is_disabled()
    assert "1 < 2" in message.inner_text()


def test_hostile_text_is_shown_and_not_obeyed_in_the_channel(desktop: Watched) -> None:
    message = desktop.open("slack").locator(".message").last
    assert ATTACK in message.get_by_role("heading").inner_text()
    assert message.locator("pre").inner_text() == ATTACK
    assert message.locator("script, img[src=x]").count() == 0
    assert message.get_by_role("link").count() == 0  # javascript: is no address of a link
    assert message.locator(".attachment").get_attribute("style") is None


def test_hostile_mail_runs_no_script_and_loads_nothing(desktop: Watched) -> None:
    page = desktop.open("mail/1")
    assert ATTACK in page.locator(".reading h1").inner_text()
    frame = page.frame_locator(".reading iframe")
    assert frame.locator("#said").inner_text() == "said"
    assert "allow-scripts" not in str(page.locator(".reading iframe").get_attribute("sandbox"))
    loaded = frame.locator("img").last.evaluate("image => image.naturalWidth")
    assert loaded == 0


@pytest.mark.parametrize("place", SECTIONS)
def test_a_phone_shows_everything_without_scrolling_sideways(phone: Watched, place: str) -> None:
    page = phone.open(place)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("place", SECTIONS)
def test_every_section_is_quiet_and_named_as_the_current_one(desktop: Watched, place: str) -> None:
    page = desktop.open(place)
    assert page.locator("nav a[aria-current=page]").count() == 1
    assert page.locator("h1, .markdown h1").count() >= 1


def test_the_page_is_only_for_this_machines_own_name(home: str) -> None:
    assert httpx.get(f"{home}api/clock", trust_env=False).status_code == 200
    foreign = httpx.get(f"{home}api/clock", headers={"Host": "rebound.example"}, trust_env=False)
    assert foreign.status_code == 400
    policy = httpx.get(home, trust_env=False).headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy
