"""The page of `make local`: what the channel, the mailbox, the jobs and the dashboards look like."""
