"""Every card that the product can send, as samples."""
