"""Hides credentials in text that leaves the account, such as a job's failure reason.

Used on every FailureReason before it is classified, cut or shown: a reason quotes command lines and environment, and
people pass tokens there. Conservative: it masks what looks like a credential by its own form, or is named as one;
words of the trade such as `pad_token`, `tokenizer` and `max_tokens=512` stay readable. Repetitions are bounded, so
that hostile text costs no more than linear time.
"""

import re

MASK = "[masked]"

_FORM = re.compile(
    "|".join(
        (
            r"https?://hooks\.slack(?:-gov)?\.com/[^\s\"'<>)\]]+",
            r"\bxox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{8,}",
            r"\bxapp-[A-Za-z0-9-]{8,}",
            r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
            r"\bgh[pousr]_[A-Za-z0-9]{20,}",
            r"\bgithub_pat_\w{20,}",
            r"\bglpat-[\w-]{16,}",
            r"\bhf_[A-Za-z0-9]{16,}",
            r"\bsk-[A-Za-z0-9_-]{20,}",
            r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
            r"\bdapi[0-9a-f]{32}\b",
            r"\bAIza[\w-]{30,}",
            r"\b(?:pypi-|npm_)[A-Za-z0-9_-]{30,}",
            r"\bSG\.[\w-]{16,}\.[\w-]{16,}",
            r"\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?",
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\Z)",
        )
    )
)
"""Credentials that their own form gives away: Slack, AWS, GitHub, GitLab, Hugging Face, OpenAI, Stripe, Databricks,
Google, PyPI, npm, SendGrid, JWT, PEM."""

_URL_LOGIN = re.compile(r"(?<=://)[^\s/@\"'<>]{1,300}@")
_BEARER = re.compile(
    r"(?i)\b(bearer\s{1,3}|authorization[\"']?\s{0,3}[=:]\s{0,3}[\"']?(?:basic\s{1,3})?)(?!bearer\b)[\w.~+/=-]{8,}"
)
_SIGNATURE = re.compile(r"(?i)([?&](?:X-Amz-(?:Signature|Credential|Security-Token)|sig|signature)=)[^&\s\"'<>]+")

_PREFIX = r"(?:[a-z0-9]{1,30}[_-]){0,4}"
_NAME = r"(?:pass(?:word|wd|phrase)|passwd|pwd|secret|(?:api|secret|access|private)[_-]?key|credentials?)"
_TRADE = r"(?:pad|eos|bos|unk|cls|sep|mask|special|stop|end|start|next|num|max|min)"
_TOKEN = rf"(?!{_TRADE}[_-]token){_PREFIX}token"
_VALUE = r"(?!\\?[\"']?\[masked\])(?:\\?\"[^\"\n]{1,500}\"?|\\?'[^'\n]{1,500}'?|[^\s\"']+)"
# A value in quotes may be cut off before its closing quote; then it is masked to the end of its line.

_NAMED = re.compile(
    rf"(?i)(?<![a-z0-9])({_PREFIX}{_NAME}\\?[\"']?(?:\s{{0,3}}[=:]\s{{0,3}}|\s{{1,3}}(?=[\"'])))(?!=){_VALUE}"
)
_HAS_DIGIT = r"(?=\\?[\"']?[^\s\"']{0,200}\d)"
_NAMED_TOKEN = re.compile(
    rf"(?i)(?<![a-z0-9])({_TOKEN}(?:=|\\?[\"']?\s{{0,3}}[=:]\s{{0,3}}{_HAS_DIGIT}))"
    rf"(?=[\\\"']{{0,2}}[A-Za-z0-9_.~+/=-]{{8,}}){_VALUE}"
)
_OPTION = re.compile(rf"(?i)(?<![a-z0-9])(--(?:{_PREFIX}{_NAME}|{_TOKEN})[\"']?,?\s{{1,3}})(?![\"']?--){_VALUE}")


def masked(text: str) -> str:
    """The text with every recognised credential replaced by "[masked]". Never raises."""
    text = _FORM.sub(MASK, text)
    text = _URL_LOGIN.sub(f"{MASK}@", text)
    for pattern in (_BEARER, _SIGNATURE, _NAMED, _OPTION, _NAMED_TOKEN):
        text = pattern.sub(rf"\g<1>{MASK}", text)
    return text
