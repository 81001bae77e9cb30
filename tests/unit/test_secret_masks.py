"""Credentials never leave with a failure text; words of the trade do."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainops.domain.secret_masks import MASK, masked

KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

BY_FORM = [
    "dapi" + "0a" * 16,
    "AIza" + "Sy0" * 12,
    "pypi-" + "Ag3" * 12,
    "npm_" + "a1B" * 12,
    "rk_live" + "_" + "a1" * 10,
    "SG." + "a1b2" * 5 + "." + "c3d4" * 10,
]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("key AKIAIOSFODNN7EXAMPLE in use", "AKIAIOSFODNN7EXAMPLE"),
        (f"AWS_SECRET_ACCESS_KEY={KEY}", KEY),
        (f'{{"aws_secret_access_key": "{KEY}"}}', KEY),
        (f'{{\\"aws_secret_access_key\\": \\"{KEY}\\"}}', KEY),
        ("train.py --db-password hunter2 --epochs 3", "hunter2"),
        ("['train.py', '--password', 'hunter2', '--epochs']", "hunter2"),
        ("password='two words, and more'", "and more"),
        ('password="cut before its end', "before its end"),
        ("DB_PASSWORD: s3cr3t;x&y", "s3cr3t;x&y"),
        ("train.py --hf-token hf_AbCdEfGhIjKlMnOpQrStUv", "hf_AbCdEfGhIjKlMnOpQrStUv"),
        ("--wandb-api-key 0123456789abcdef", "0123456789abcdef"),
        ("WANDB_API_KEY=0123456789abcdef", "0123456789abcdef"),
        ("HF_TOKEN=abcdefghijkl", "abcdefghijkl"),
        ("access_token: 'a1b2c3d4e5'", "a1b2c3d4e5"),
        ("git clone https://bot:pa55@github.com/acme/x", "pa55"),
        ("pip install git+https://ghp_0123456789abcdefghijABCD@github.com/a/b", "ghp_0123456789abcdefghijABCD"),
        ("Authorization: Bearer abcdef0123456789", "abcdef0123456789"),
        ("Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
        ("post to https://hooks.slack.com/services/T0/B0/xyz failed", "T0/B0/xyz"),
        ("SLACK xoxb-123456789012-abcdefghij", "xoxb-123456789012-abcdefghij"),
        ("GET https://b.s3.amazonaws.com/k?X-Amz-Signature=abc123&x=1", "abc123"),
        ("token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.sig", "eyJzdWIiOiIxMjM0In0"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----", "MIIE"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE cut off", "MIIE"),
        *((f"using {secret} now", secret) for secret in BY_FORM),
    ],
)
def test_a_credential_is_masked_whatever_form_it_has(text: str, secret: str) -> None:
    assert secret in text
    assert secret not in masked(text)
    assert MASK in masked(text)


@pytest.mark.parametrize(
    "text",
    [
        "ValueError: pad_token is not set; use tokenizer.pad_token = tokenizer.eos_token",
        "generate(max_new_tokens=512, num_tokens: 2048)",
        "KeyError: 'token_type_ids'",
        "ModuleNotFoundError: No module named 'secretstorage'",
        'No S3 objects found under S3 URL "s3://acme/data/train" given in input data source',
        "User: arn:aws:sts::111122223333:assumed-role/x/y is not authorized to perform: s3:GetObject",
        "SyntaxError: invalid token: unexpected indent",
        "train.py --epochs 10 --lr 0.1 --pad-token [PAD]",
        "password is required",
    ],
)
def test_words_of_the_trade_stay_readable(text: str) -> None:
    assert masked(text) == text


@given(st.text(alphabet="token=:'\" -_passwordkey0123\n", max_size=300))
def test_masking_twice_changes_nothing_more(text: str) -> None:
    assert masked(masked(text)) == masked(text)


@pytest.mark.parametrize("piece", ["a_", "token ", "password=", "://a", "eyJ", "-----BEGIN ", "--a-", "\\'", "key: "])
def test_hostile_text_is_masked_in_no_time(piece: str) -> None:
    started = time.monotonic()
    masked(piece * (20_000 // len(piece)))
    assert time.monotonic() - started < 2
