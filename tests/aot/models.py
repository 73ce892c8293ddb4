"""The models of the sweep, with the operations whose derivatives each takes: those on the tape behind its loss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aot import chances, fields, networks, pictures, sequences

MODELS: Mapping[Any, str] = {
    networks.mlp: "linear mean multiply subtract tanh",
    networks.deep_residual: "absolute add gelu matmul mean reshape slice subtract",
    networks.swiglu: "matmul mean multiply permute silu subtract",
    networks.gated_linear_unit: "linear mean multiply sigmoid slice subtract",
    networks.highway: "add linear matmul multiply pow_scalar relu sigmoid subtract sum",
    networks.low_rank_adapter: "add matmul mean multiply permute subtract",
    networks.tied_autoencoder: "add matmul mean multiply permute sigmoid subtract",
    networks.bilinear: "log_softmax matmul nll_loss permute reshape",
    networks.hypernetwork: "linear matmul mean multiply reshape subtract tanh",
    networks.fourier_features: "cat cos matmul mean multiply pow_scalar reshape sin subtract sum",
    networks.radial_basis: "divide exp matmul mean multiply negative pow_scalar reshape subtract sum",
    networks.maxout: "linear matmul max mean multiply reshape subtract",
    networks.squeeze_excite: "linear mean multiply pow_scalar relu reshape sigmoid",
    networks.dropout_by_mask: "divide linear matmul mean multiply relu reshape subtract",
    networks.dropout_with_a_seed: "divide linear matmul mean multiply reshape subtract tanh where",
    networks.straight_through_rounding: "add linear matmul mean multiply reshape subtract tanh",
    networks.batch_norm: "add divide matmul mean multiply permute pow_scalar relu sqrt subtract var",
    networks.group_norm: "add divide mean multiply reshape sqrt subtract var",
    networks.root_mean_square_norm: "add divide matmul mean multiply permute pow_scalar reshape sqrt subtract",
    networks.spectral_norm: "add divide linear matmul mean multiply reshape subtract",
    networks.weight_norm: "divide linear mean multiply reshape root subtract sum tanh",
    networks.two_tasks: "add cat exp linear matmul mean multiply negative relu reshape softplus subtract sum",
    networks.NormalisedNetwork: "gelu layer_norm linear log_softmax nll_loss",
    networks.Siamese: "add clamp_min linear mean multiply pow_scalar sqrt subtract sum tanh",
    networks.MeanTeacher: "add linear mean multiply reshape subtract tanh",
    networks.RunningNorm: "add divide linear mean multiply sqrt subtract var",
    pictures.convolution_by_unfolding: "linear log_softmax matmul max mean nll_loss permute relu reshape take",
    pictures.depthwise_convolution: "matmul mean multiply permute reshape sum take tanh",
    pictures.dilated_convolution: "add expand matmul mean multiply relu reshape slice subtract",
    pictures.down_and_up_again: "add alias cat divide expand mean multiply reshape silu slice subtract",
    pictures.total_variation: "add divide multiply pow_scalar slice sqrt subtract sum",
    pictures.heat_written_in_place: "CopySlices add alias mean multiply slice subtract",
    pictures.circular_convolution: "add alias cat mean multiply reshape sinh slice subtract",
    pictures.patches: "matmul mean multiply permute reshape softmax subtract sum",
    sequences.recurrent_cell: "add cat linear matmul mean permute pow_scalar reshape tanh",
    sequences.long_short_term_memory: "add linear mean multiply sigmoid slice subtract tanh",
    sequences.GatedRecurrentUnit: "add cat linear mean multiply reshape sigmoid slice subtract tanh",
    sequences.attention: "divide matmul permute pow_scalar softmax sum",
    sequences.causal_attention_of_two_heads: (
        "divide linear matmul mean multiply permute reshape slice softmax subtract where"
    ),
    sequences.TransformerBlock: "add divide gelu layer_norm linear matmul mean multiply permute slice softmax subtract",
    sequences.linear_attention: "cumsum divide exp multiply pow_scalar reshape sum",
    sequences.WordAverage: "linear log_softmax mean nll_loss reshape take where",
    sequences.SparseWordAverage: "EmbeddingBackward0 linear log_softmax mean nll_loss",
    sequences.bags_by_index_add: "mean multiply scatter_add subtract take tanh",
    sequences.rotary_positions: "add cat diagonal log_softmax matmul multiply permute reshape slice subtract sum",
    sequences.conditional_random_field: "add exp gather log max reshape slice subtract sum take where",
    sequences.soft_alignment: "add cat cumsum divide exp log max multiply negative reshape slice subtract sum where",
    sequences.exponential_smoothing: "absolute cumprod cumsum divide expand mean multiply subtract",
    sequences.hopfield: (
        "add divide exp log matmul max mean multiply negative permute pow_scalar reshape softmax subtract sum where"
    ),
    chances.gaussian_mixture: (
        "add exp log log_softmax max mean multiply negative pow_scalar reshape subtract sum where"
    ),
    chances.mixture_of_experts: "matmul mean multiply permute relu reshape softmax subtract sum",
    chances.two_experts_of_four: "gather matmul mean multiply permute softmax subtract sum",
    chances.coupling_flow: "add cat divide exp linear mean multiply pow_scalar slice subtract sum tanh",
    chances.planar_flow: "absolute add divide log matmul mean multiply pow_scalar reshape subtract sum tanh",
    chances.variational_autoencoder: "add divide exp linear multiply negative pow_scalar slice softplus subtract sum",
    chances.softmax_regression: "add linear log_softmax multiply nll_loss root sum",
    chances.focal_loss: "log matmul mean multiply negative pow_scalar reshape sigmoid subtract where",
    chances.contrastive: "add divide exp log_softmax matmul multiply nll_loss permute reshape root sum",
    chances.triplet: "add clamp_min mean pow_scalar subtract sum",
    chances.matrix_factorisation: "add mean multiply pow_scalar subtract sum take",
    chances.poisson_regression: "add exp matmul mean multiply reshape subtract",
    chances.robust_regression: "absolute add divide matmul maximum mean multiply pow_scalar reshape subtract where",
    chances.listwise_ranking: "add alias cat gather logaddexp mean reshape slice subtract sum",
    chances.kernel_ridge: "add divide exp matmul mean multiply negative reshape root subtract sum",
    chances.gaussian_process_by_conjugate_gradients: "add divide exp matmul multiply reshape subtract",
    chances.hashing: "absolute add matmul mean multiply permute pow_scalar slice subtract",
    chances.sinkhorn: "add exp log log_softmax max multiply reshape subtract sum where",
    chances.probit_regression: "add divide erf log log2 matmul mean multiply negative reshape subtract",
    chances.complementary_log_log: "add exp expm1 log1p matmul mean multiply negative pow_scalar reshape subtract",
    chances.noisy_or: "add log10 mean minimum multiply prod subtract",
    chances.power_law: "add divide exp2 mean multiply pow_scalar power subtract tan",
    chances.log_of_two_mixtures: "add logaddexp mean root subtract var",
    fields.polynomial_fit: "absolute add matmul mean multiply reshape slice subtract",
    fields.euler_steps: "add matmul mean multiply subtract tanh",
    fields.runge_kutta_steps: "add linear mean multiply sin subtract",
    fields.physics_informed: (
        "add linear matmul mean multiply negative permute pow_scalar reshape slice subtract sum tanh"
    ),
    fields.gradient_penalty: "add linear matmul mean multiply permute pow_scalar reshape sqrt subtract sum tanh",
    fields.hamiltonian: "add cos linear matmul mean multiply permute pow_scalar reshape subtract tanh",
    fields.inner_step: "add matmul mean multiply reshape subtract tanh",
    fields.sensitivity_without_history: "linear matmul multiply reshape sum tanh",
    fields.graph_convolution: "add divide matmul mean multiply permute scatter_add subtract take",
    fields.graph_attention: "add divide exp matmul multiply pow_scalar relu reshape scatter_add sum take",
    fields.pairwise_energy: "add divide multiply negative pow_scalar reshape sqrt subtract sum where",
    fields.newton_schulz: "add divide matmul mean multiply permute root subtract sum",
    fields.kalman_filter: "add divide log multiply pow_scalar reshape slice subtract",
    fields.sampled_policy: "add log log_softmax mean multiply negative softmax subtract sum",
    fields.polar_coordinates: "arctan2 cos hypot mean multiply reshape slice subtract",
    fields.hyperbolic_distance: (
        "add arccosh divide mean multiply negative pow_scalar reshape root softplus subtract sum"
    ),
    fields.overlap_of_boxes: "add clamp_min divide maximum mean minimum prod subtract",
    fields.robot_arm: "add arccos arcsin arctan cat cos cosh cumsum multiply reshape root sin subtract sum tanh",
    fields.borders: "CopySlices add cat copysign diagonal fmod matmul multiply permute slice sum where",
}
"""By function or class. What is no operation of the registry stands there as the node of the tape."""
BREAKS: Mapping[Any, str] = {}
"""The models that break the graph, and why: words of the first break."""
BREAKS_OUTSIDE: Mapping[Any, str] = {fields.gradient_penalty: "a gradient for a tensor that is made inside"}
"""The models that break the graph where `backward()` comes behind the call, and why."""
BREAKS_INSIDE: Mapping[Any, str] = {sequences.SparseWordAverage: "a gradient, for a tensor that is named"}
"""The models that break the graph where `autograd.grad` is called in it, and why."""

__all__ = ["BREAKS", "BREAKS_INSIDE", "BREAKS_OUTSIDE", "MODELS"]
