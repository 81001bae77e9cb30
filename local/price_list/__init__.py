"""The Price List of the laptop: prices of SageMaker instances, as GetProducts returns them."""
