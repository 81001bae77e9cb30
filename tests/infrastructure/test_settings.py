"""Settings files, good and bad: what a person reads when something is wrong."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from stacks.building_blocks.layer import ROOT
from stacks.settings import Settings
from stacks.settings_file import SettingsError, load_settings
from stacks.team_settings import Network, Team
from stacks.warm_pool_settings import BusinessHours, Rule


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.yaml"


def fault_of(file: Path, text: str) -> str:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as raised:
        load_settings(file)
    return str(raised.value)


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("nam: x", ["nam: unknown key", "did you mean name?"]),
        (
            "notifications: {slack: {secret: x}}",
            ["notifications.slack.secret: unknown key", "did you mean secret_name?"],
        ),
        ("zzz: 1", ["zzz: unknown key; accepted here: name, region"]),
        ("name: 12", ["name: given 12 (a number)", "quotes"]),
        ("name: Team A", ['name: given "Team A" (text)', "lower-case"]),
        ("name: aws-trainops", ["neither aws nor ssm"]),
        ("region: Frankfurt", ["region:", "eu-central-1"]),
        ("account: 123456789012", ["account: given 123456789012 (a number)", "quotes"]),
        ("account: '1234'", ["account:", "twelve digits"]),
        ("scope: {tags: {cost-centre: 12}}", ["scope.tags.cost-centre: given 12 (a number)", "quotes"]),
        ("scope: {tags: [a]}", ["scope.tags: given a list (a)", "a mapping"]),
        ("prices: {g5.xlarge: 1.4}", ["prices.g5.xlarge:", "ml.g5.xlarge"]),
        ("prices: {ml.g5.xlarge: 0}", ["prices.ml.g5.xlarge: given 0", "above 0"]),
        ("prices: {ml.g5.xlarge: true}", ["prices.ml.g5.xlarge: given true (a flag)"]),
        ("prices: {ml.g5.xlarge: .inf}", ["prices.ml.g5.xlarge: given inf"]),
        ("prices: {ml.g5.xlarge: cheap}", ['prices.ml.g5.xlarge: given "cheap" (text)', "US dollars"]),
        ("ledger: {retention: 400}", ["ledger.retention: given 400 (a number)", "P400D"]),
        ("ledger: {retention: P7D}", ["ledger.retention:", "from P30D"]),
        ("ledger: {retention: P3651D}", ["ledger.retention:", "to P3650D"]),
        ("ledger: P400D", ['ledger: given "P400D" (text)', "a mapping with retention"]),
        ("notifications: {statuses: [Complete]}", ["notifications.statuses[0]:", "did you mean Completed?"]),
        ("notifications: {statuses: [Failed, Failed]}", ["notifications.statuses:", "more than once: Failed"]),
        ("notifications: {statuses: []}", ["notifications.statuses:", "at least one entry"]),
        ("notifications: {statuses: Failed}", ["notifications.statuses:", "a list"]),
        ("notifications: {children: fold}", ["notifications.children:", "did you mean folded?"]),
        ("notifications: {time_zone: Mars/Base}", ["notifications.time_zone:", "Europe/Berlin"]),
        ("notifications: {time_zone: /etc/localtime}", ["notifications.time_zone:", "IANA"]),
        ("notifications: {slack: {secret_name: 'a b'}}", ["notifications.slack.secret_name:", "Secrets Manager"]),
        ("notifications: {email: {sender: a@b.example}}", ["notifications.email:", "recipients together with sender"]),
        ("notifications: {time_zone: localtime}", ["notifications.time_zone:", "IANA"]),
        ("notifications: {time_zone: posixrules}", ["notifications.time_zone:", "IANA"]),
        ("notifications: {email: {recipients: [nobody]}}", ["notifications.email.recipients[0]:", "e-mail address"]),
        ("limits: {describe_per_second: 6}", ["limits.describe_per_second: given 6", "not adjustable"]),
        ("limits: {describe_per_second: 0}", ["limits.describe_per_second: given 0"]),
        ("limits: {describe_per_second: '2'}", ['limits.describe_per_second: given "2" (text)']),
        ("reconcile: {every: PT4M}", ["reconcile.every:", "PT5M"]),
        ("reconcile: {every: PT330S}", ["reconcile.every:", "whole minutes"]),
        ("reconcile: {overlap: P1M}", ["reconcile.overlap:", "ISO-8601"]),
        ("reconcile: {overlap: PT14M}", ["reconcile.overlap:", "from PT15M"]),
        ("limits: {describe_per_second: 0.5}", ["limits.describe_per_second: given 0.5"]),
        ("limits: {slack_posts_per_second: 0.1}", ["limits.slack_posts_per_second: given 0.1"]),
        ("alarms: {emails: team@b.example}", ["alarms.emails:", "a list"]),
        ("teams: [vision]", ["teams: given a list (vision)", "a mapping"]),
        ("teams: {Vision: {}}", ['teams.Vision: given "Vision" (text)', "lower-case"]),
        ("teams: {vision: {owner: a}}", ["teams.vision.owner: unknown key", "did you mean owners?"]),
        ("teams: {vision: {limits: {keepalive: PT1H}}}", ["teams.vision.limits.keepalive", "did you mean keep_alive?"]),
        ("teams: {vision: {limits: {keep_alive: PT7H}}}", ["teams.vision.limits.keep_alive:", "PT6H"]),
        ("teams: {vision: {limits: {keep_alive: 3600}}}", ["teams.vision.limits.keep_alive: given 3600 (a number)"]),
        ("teams: {vision: {limits: {runtime: P29D}}}", ["teams.vision.limits.runtime:", "P28D"]),
        ("teams: {vision: {limits: {instance_types: [g5.*]}}}", ["instance_types[0]:", "ml.g5.*"]),
        ("teams: {vision: {data: [s3://example-data/images]}}", ["teams.vision.data[0]:", 'ends with "/"']),
        ("teams: {vision: {role_arn: train}}", ["teams.vision.role_arn:", "role/x"]),
        ("teams: {vision: {keys: {volume: alias/x}}}", ["teams.vision.keys.volume:", "key/"]),
        ("teams: {vision: {network: {subnets: [subnet-1]}}}", ["teams.vision.network.security_groups:"]),
        ("teams: {vision: {remote_access: ssh-help}}", ["teams.vision.remote_access:", "did you mean ssh-helper?"]),
        (
            "teams: {vision: {remote_access: ssh-helper, limits: {network_isolation: true}}}",
            ["teams.vision:", "remote_access: none with limits.network_isolation"],
        ),
        ("warm_pools: {mode: delete}", ["warm_pools.mode:", "observe or enforce"]),
        ("warm_pools: {policy: break_even}", ["warm_pools.policy:", "did you mean break-even?"]),
        ("warm_pools: {waiting_usd_per_hour: -1}", ["warm_pools.waiting_usd_per_hour: given -1"]),
        ("warm_pools: {waiting_usd_per_hour: true}", ["warm_pools.waiting_usd_per_hour:", "0 or more"]),
        ("warm_pools: {idle_limit: PT7H}", ["warm_pools.idle_limit:", "to PT6H"]),
        ("warm_pools: {grace: PT16M}", ["warm_pools.grace:", "to PT15M"]),
        ("warm_pools: {holds: {longest: P29D}}", ["warm_pools.holds.longest:", "P28D"]),
        (
            "warm_pools: {rules: [{idle_limits: PT5M}]}",
            ["warm_pools.rules[0].idle_limits: unknown key", "did you mean idle_limit?"],
        ),
        ("warm_pools: {rules: [{instance_types: [p4d]}]}", ["warm_pools.rules[0].instance_types[0]:", "ml.g5.*"]),
        ("warm_pools: {business_hours: {opens: 8}}", ["warm_pools.business_hours.opens: given 8", "quotes"]),
        ("warm_pools: {business_hours: {opens: '19:00'}}", ["warm_pools.business_hours:", "opens before closes"]),
        ("warm_pools: {business_hours: {days: [Monday]}}", ["warm_pools.business_hours.days[0]:", "did you mean Mon?"]),
        ("warm_pools: {sweep_every: PT1M}", ["warm_pools.sweep_every:", "PT5M"]),
        ("teams: {vision: {warm_pools: {sweep_every: PT5M}}}", ["teams.vision.warm_pools.sweep_every: unknown key"]),
        ("teams: {vision: {warm_pools: {rules: [{}]}}}", ["teams.vision.warm_pools.rules[0].idle_limit"]),
        ("storage: {checkpoints: {expire_after: P59D}}", ["storage.checkpoints.expire_after:", "from P60D", "30 days"]),
        ("storage: {checkpoints: {expire_after: P3651D}}", ["storage.checkpoints.expire_after:", "to P3650D"]),
        ("storage: {checkpoints: {expire_after: P60DT1H}}", ["storage.checkpoints.expire_after:", "whole days"]),
        ("storage: {checkpoints: {expires_after: P90D}}", ["did you mean expire_after?"]),
        ("storage: {artifacts: {archive_after: PT12H}}", ["storage.artifacts.archive_after:", "from P1D"]),
        ("storage: {artifacts: {bucket: s3://example-artifacts}}", ["storage.artifacts.bucket:", "a bucket's name"]),
        ("storage: {artifacts: {key_arn: alias/x}}", ["storage.artifacts.key_arn:", "key/"]),
        (
            "storage: {checkpoints: {bucket: example-checkpoints, expire_after: P90D}}",
            ["storage.checkpoints:", "expire_after without bucket"],
        ),
        (
            "storage: {artifacts: {bucket: example-artifacts, archive_after: P90D}}",
            ["storage.artifacts:", "archive_after without bucket"],
        ),
        (
            "storage: {checkpoints: {bucket: same-1}, artifacts: {bucket: same-1}}",
            ["storage:", "two different buckets"],
        ),
        ("log_retention_days: 31", ["log_retention_days: given 31", "30, 60, 90"]),
        ("termination_protection: 'yes'", ["termination_protection:", "true or false"]),
        ("- a\n- b", ["a list (a, b)", "a mapping"]),
        ("just text", ["a mapping"]),
        ("name: [a\nregion: b", ["line 2, column 7"]),
        ("name: a1\nname: b1", ["line 2, column 1", "'name' is already given in line 1"]),
        ("name: \t@", ["line 1"]),
    ],
)
def test_a_fault_is_named_with_its_key_what_was_given_and_what_is_accepted(
    file: Path, text: str, fragments: list[str]
) -> None:
    fault = fault_of(file, text)
    assert fault.startswith(str(file))
    for fragment in fragments:
        assert fragment in fault


def test_all_faults_are_shown_at_once(file: Path) -> None:
    fault = fault_of(file, "nam: x\nlimits: {describe_per_second: 9}\nnotifications: {email: {sender: a@b.example}}")
    assert "3 faults" in fault
    assert len(fault.splitlines()) == 4


def test_a_webhook_that_was_pasted_instead_of_a_secret_name_is_not_repeated(file: Path) -> None:
    fault = fault_of(file, "notifications: {slack: {secret_name: 'https://hooks.slack.com/services/T0/B0/XXX'}}")
    assert "notifications.slack.secret_name" in fault
    assert "XXX" not in fault


def test_a_missing_file_is_said_as_such_with_the_way_to_name_another(file: Path) -> None:
    with pytest.raises(SettingsError, match="no such file; name another with TRAINOPS_CONFIG"):
        load_settings(file)


def test_a_directory_or_another_encoding_is_an_error_and_no_traceback(file: Path) -> None:
    file.write_bytes(b"name: \xff")
    for path in (file, file.parent):
        with pytest.raises(SettingsError, match="cannot be read"):
            load_settings(path)


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "---\n", "{}", "scope:\nnotifications:\n  slack:\n  email:\n"])
def test_empty_files_and_sections_mean_the_defaults(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    assert load_settings(file) == Settings()


def test_values_are_read_in_the_terms_of_the_field(file: Path) -> None:
    file.write_text("prices: {ml.g5.xlarge: 1.408}\nreconcile: {every: PT1H}\nledger: {retention: P1W30D}")
    settings = load_settings(file)
    assert settings.prices == {"ml.g5.xlarge": Decimal("1.408")}
    assert settings.reconcile.every == timedelta(hours=1)
    assert settings.ledger.retention == timedelta(days=37)


def test_what_would_not_fit_into_a_functions_environment_is_refused_where_it_is_typed(file: Path) -> None:
    prices = "\n".join(f"  ml.g{number}.xlarge: 1.5" for number in range(200))
    assert "Lambda takes 4 KB of environment" in fault_of(file, f"prices:\n{prices}")


def test_the_production_example_names_every_choice_there_is() -> None:
    text = (ROOT / "config" / "prod.yaml").read_text(encoding="utf-8")
    for name in [key for model in (Settings, Team, Network, Rule, BusinessHours) for key in keys_of(model)]:
        assert f"{name}:" in text


def keys_of(model: type) -> list[str]:
    nested = [field.annotation for field in model.model_fields.values() if hasattr(field.annotation, "model_fields")]  # type: ignore[attr-defined]
    return [*model.model_fields, *(key for inner in nested for key in keys_of(inner))]  # type: ignore[attr-defined]
