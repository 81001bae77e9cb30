"""What SES says about sending from an account. Source: SES API v2, GetAccount and GetEmailIdentity."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from trainops.adapters.aws import code_of, passing_faults
from trainops.domain.mail_readiness import MailFacts


@dataclass(frozen=True, slots=True)
class SesIdentities:
    """Asks through a boto3 `sesv2` client."""

    sesv2: Any

    def facts(self, sender: str, recipients: Sequence[str]) -> MailFacts:
        """GetAccount, and GetEmailIdentity of the sender and, in the sandbox, of each recipient; of their domains where
        an address has no identity of its own. Raises TryLater when throttled.
        """
        with passing_faults("GetAccount"):
            account = self.sesv2.get_account()
        sandbox = not account["ProductionAccessEnabled"]
        asked = [sender, *(recipients if sandbox else ())]
        verified = {address: self._verified(address) for address in asked}
        return MailFacts(bool(account["SendingEnabled"]), sandbox, verified)

    def _verified(self, address: str) -> bool:
        return any(self._identity(name) for name in (address, address.rpartition("@")[2]))

    def _identity(self, name: str) -> bool:
        try:
            with passing_faults("GetEmailIdentity"):
                return bool(self.sesv2.get_email_identity(EmailIdentity=name)["VerifiedForSendingStatus"])
        except ClientError as error:
            if code_of(error) == "NotFoundException":
                return False
            raise
