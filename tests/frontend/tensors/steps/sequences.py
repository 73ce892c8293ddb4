"""Programs over texts and sets: lengths that grow, masks, packed batches, checkpoints, sparse embeddings."""

from __future__ import annotations

import numpy as np
from frontend.tensors.steps.record import Training, program, tokens

import guardlift as gl
from guardlift import nn, optim
from guardlift.autograd import checkpoint
from guardlift.nn import functional as F


class Recurrent(nn.Module):
    """A gated cell written by hand, over a text of any length."""

    def __init__(self, vocabulary=50, hidden=32):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, hidden)
        self.gates = nn.Linear(2 * hidden, 2 * hidden)
        self.new = nn.Linear(2 * hidden, hidden)
        self.out = nn.Linear(hidden, vocabulary)

    def forward(self, text):
        x = self.embed(text)
        h = x.new_zeros(x.shape[0], x.shape[2])
        out = []
        for t in range(x.shape[1]):
            z, r = gl.sigmoid(self.gates(gl.cat((x[:, t], h), 1))).chunk(2, 1)
            n = gl.tanh(self.new(gl.cat((x[:, t], r * h), 1)))
            h = (1 - z) * n + z * h
            out.append(h)
        return self.out(gl.stack(out, 1))


def of_growing_texts(model) -> Training:
    """The training of a model of the next token, on texts that get longer."""
    optimizer = optim.Adam(model.parameters(), lr=3e-3)

    def step(text):
        logits = model(text[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), text[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return Training(step, lambda k: (tokens(k, length=6 + k // 4),), (model, optimizer))


@program(compiles=2)
def recurrence_over_growing_lengths() -> Training:
    """A recurrent model over texts that get longer every few steps."""
    return of_growing_texts(Recurrent())


class Attention(nn.Module):
    """A block of attention and a perceptron, with a mask for what is padding."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.proj = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, mask=None):
        B, T, C = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(B, T, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        att = (q @ k.transpose(-2, -1)) * (C // self.heads) ** -0.5
        if mask is not None:
            att = att.masked_fill(mask[:, None, None, :], float("-inf"))
        y = (F.softmax(att, dim=-1) @ v).transpose(1, 2).reshape(B, T, C)
        x = x + self.proj(y)
        return x + self.mlp(self.norm2(x))


class Encoder(nn.Module):
    """Blocks over tokens and places, each block a checkpoint if asked."""

    def __init__(self, vocabulary=50, width=32, depth=2, checkpoints=False):
        super().__init__()
        self.tok = nn.Embedding(vocabulary, width, padding_idx=0)
        self.pos = nn.Embedding(64, width)
        self.blocks = nn.ModuleList([Attention(width, 4) for _ in range(depth)])
        self.head = nn.Linear(width, vocabulary)
        self.checkpoints = checkpoints

    def forward(self, text, mask=None):
        x = self.tok(text) + self.pos(gl.arange(text.size(1)))
        for block in self.blocks:
            x = checkpoint(block, x, mask) if self.checkpoints else block(x, mask)
        return self.head(x)


def padded(k, longest=12):
    """Batch k of texts of different lengths, padded with 0, and what comes next, padded with -100."""
    text = tokens(k, length=longest + 1)
    lengths = np.random.default_rng(k).integers(4, longest + 1, len(text))
    past = gl.arange(longest)[None, :] >= gl.tensor(lengths)[:, None]
    return text[:, :-1].masked_fill(past, 0), text[:, 1:].masked_fill(past, -100)


@program(compiles=2, relative=1e-4)
def curriculum_of_lengths() -> Training:
    """An attention model over texts that get longer every few steps."""
    return of_growing_texts(Encoder())


@program(relative=1e-4)
def masks_over_padding() -> Training:
    """Padding is masked in the attention, and ignored in the loss and in the accuracy."""
    model = Encoder()
    optimizer = optim.AdamW(model.parameters(), lr=1e-3)

    def step(text, target):
        logits = model(text, text == 0)
        loss = F.cross_entropy(logits.view(-1, 50), target.view(-1), ignore_index=-100)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        valid = target != -100
        accuracy = ((logits.argmax(-1) == target) & valid).sum() / valid.sum()
        return loss.item(), accuracy.item()

    return Training(step, padded, (model, optimizer))


@program()
def packed_batch() -> Training:
    """Only the places that are no padding go through the model: as many as the mask has."""
    embed = nn.Embedding(50, 32)
    mlp = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 50))
    optimizer = optim.Adam([*embed.parameters(), *mlp.parameters()], lr=3e-3)

    def step(text, target):
        mask = target != -100
        packed = text[mask]
        logits = mlp(embed(packed))
        loss = F.cross_entropy(logits, target[mask])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return Training(step, padded, (embed, mlp, optimizer))


@program()
def checkpointed_blocks() -> Training:
    """Each block of a transformer is computed again in the backward pass."""
    model = Encoder(checkpoints=True)
    optimizer = optim.Adam(model.parameters(), lr=1e-3)

    def step(text, target):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(text).transpose(1, 2), target)
        loss.backward()
        optimizer.step()
        return loss.item()

    return Training(step, padded, (model, optimizer))


@program()
def sparse_embeddings() -> Training:
    """Words and their neighbours, with sparse gradients, against words drawn at random."""
    words = nn.Embedding(200, 16, sparse=True)
    contexts = nn.Embedding(200, 16, sparse=True)
    optimizer = optim.SGD([*words.parameters(), *contexts.parameters()], lr=0.5)

    def step(center, context):
        optimizer.zero_grad()
        negative = gl.randint(0, 200, (center.shape[0], 5))
        v = words(center)
        positive_score = (v * contexts(context)).sum(1)
        negative_score = gl.bmm(contexts(negative), v.unsqueeze(2)).squeeze(2)
        loss = -F.logsigmoid(positive_score).mean() - F.logsigmoid(-negative_score).sum(1).mean()
        loss.backward()
        optimizer.step()
        return loss.item()

    def batches(k):
        center = np.random.default_rng(k).integers(0, 200, 64)
        return gl.tensor(center), gl.tensor((center * 7 + 3) % 200)

    return Training(step, batches, (words, contexts, optimizer))
