"""What trainops costs in start-up time, size and latency: `make bench` measures it on this machine."""
