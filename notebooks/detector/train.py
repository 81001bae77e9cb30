"""Trains a small object detector: where is the bright box in a noisy picture? NumPy only, on pictures that it makes.

It saves a checkpoint after every epoch with all that the next one depends on, and goes on from the last one that it
finds: an interruption costs at most the epoch that was running, and changes nothing in the result.
"""

import argparse
import json
import os
import pickle
import time
from pathlib import Path

import numpy as np

SIDE, HIDDEN, CORNERS = 24, 96, 4
OPT_ML = Path(os.environ.get("LOCAL_OPT_ML", "/opt/ml"))
CHECKPOINT = OPT_ML / "checkpoints/last.pickle"


def pictures(number, seed):
    """Noisy pictures with one box each, and the boxes as (left, top, right, bottom) in parts of the side."""
    rng = np.random.default_rng(seed)
    images = rng.normal(0, 0.3, (number, SIDE, SIDE))
    sizes = rng.integers(5, 13, (number, 2))
    corners = rng.integers(0, SIDE - sizes + 1)
    for image, (left, top), (width, height) in zip(images, corners, sizes, strict=True):
        image[top : top + height, left : left + width] += 1
    return images.reshape(number, -1), np.hstack([corners, corners + sizes]) / SIDE


def overlap(found, true):
    """Intersection over union of each pair of boxes."""
    inside = np.clip(np.minimum(found[:, 2:], true[:, 2:]) - np.maximum(found[:, :2], true[:, :2]), 0, None).prod(1)
    areas = [np.clip(boxes[:, 2:] - boxes[:, :2], 0, None).prod(1) for boxes in (found, true)]
    return inside / (areas[0] + areas[1] - inside)


class Detector:
    """Two layers, trained by Adam; its whole state is what `__dict__` holds."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        sizes = [(SIDE * SIDE, HIDDEN), (HIDDEN,), (HIDDEN, CORNERS), (CORNERS,)]
        self.weights = [rng.normal(0, 0.05, size) for size in sizes]
        self.means = [np.zeros(size) for size in sizes]
        self.squares = [np.zeros(size) for size in sizes]
        self.steps, self.epoch, self.history = 0, 0, []
        self.order = np.random.default_rng(seed + 1)

    def boxes(self, images):
        """The boxes that it sees."""
        first, bias, second, offset = self.weights
        return np.maximum(images @ first + bias, 0) @ second + offset

    def learn(self, images, true, rate):
        """One step on a batch; the mean squared error before it."""
        first, bias, second, _ = self.weights
        hidden = np.maximum(images @ first + bias, 0)
        error = self.boxes(images) - true
        back = error * 2 / error.size
        inner = back @ second.T * (hidden > 0)
        self.steps += 1
        gradients = [images.T @ inner, inner.sum(0), hidden.T @ back, back.sum(0)]
        for layer, gradient in enumerate(gradients):
            self.means[layer] += 0.1 * (gradient - self.means[layer])
            self.squares[layer] += 0.001 * (gradient**2 - self.squares[layer])
            mean, square = self.means[layer] / (1 - 0.9**self.steps), self.squares[layer] / (1 - 0.999**self.steps)
            self.weights[layer] -= rate * mean / (np.sqrt(square) + 1e-8)
        return float((error**2).mean())


def load(seed):
    """The detector of the last checkpoint, or a new one."""
    if not CHECKPOINT.exists():
        return Detector(seed)
    detector = pickle.loads(CHECKPOINT.read_bytes())  # noqa: S301 - its own file
    print(f"resumes after epoch {detector.epoch}", flush=True)
    return detector


def save(detector):
    """Whole or not at all: an interruption must not leave half a checkpoint."""
    CHECKPOINT.parent.mkdir(parents=True, exist_ok=True)
    written = CHECKPOINT.with_suffix(".new")
    written.write_bytes(pickle.dumps(detector))
    written.replace(CHECKPOINT)


def main():
    """Train, report each epoch, leave the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--learning_rate", type=float, default=0.001)
    parser.add_argument("--mini_batch_size", type=int, default=32)
    parser.add_argument("--num_training_samples", type=int, default=4000)
    parser.add_argument("--seconds_per_epoch", type=float, default=0, help="at least; a small model is soon done")
    options = parser.parse_args()
    images, true = pictures(options.num_training_samples, seed=1)
    unseen, unseen_true = pictures(500, seed=2)
    detector = load(seed=3)
    while detector.epoch < options.epochs:
        began = time.monotonic()
        order = detector.order.permutation(len(images)).reshape(-1, options.mini_batch_size)
        loss = np.mean([detector.learn(images[batch], true[batch], options.learning_rate) for batch in order])
        iou = overlap(detector.boxes(unseen), unseen_true).mean()
        detector.epoch += 1
        detector.history.append({"epoch": detector.epoch, "loss": float(loss), "iou": float(iou)})
        print(f"epoch {detector.epoch} loss {loss:.5f} iou {iou:.3f}", flush=True)
        save(detector)
        time.sleep(max(0, options.seconds_per_epoch - (time.monotonic() - began)))
    model = Path(os.environ["SM_MODEL_DIR"])
    np.savez(model / "detector.npz", *detector.weights)
    (model / "history.json").write_text(json.dumps(detector.history))


if __name__ == "__main__":
    main()
