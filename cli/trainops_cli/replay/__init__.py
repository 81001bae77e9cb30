"""`trainops replay`: the shipped keep-alive decisions on past jobs, beside what a clairvoyant would have paid."""
