// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decode step of qwen3_14b_decode.mlir with the layer written in place: a
// graph scope in the loop over the layers instead of a graph function. See there
// for the model, the layout of weights and cache, and what becomes of the layer.
//
//     pypto-opt --outline-graph-scopes --legalize-graph-boundary \
//         examples/qwen3_14b_decode_scopes.mlir
//
// `outline-graph-scopes` makes the scope the function @decoder_layer, with the
// values the scope reads as parameters in order of first read. From there on the
// two programs are one, but for the order of the parameters.

// Activations, 16 padded rows.
!hidden_f32  = !graph.tensor<16x5120xf32>
!hidden_bf16 = !graph.tensor<16x5120xbf16>
!kv_f32      = !graph.tensor<16x1024xf32>       // 8 heads of 128
!ffn_f32     = !graph.tensor<16x17408xf32>
!ffn_bf16    = !graph.tensor<16x17408xbf16>

// Partial attention: one row for (sequence, split, query head), and the
// log-sum-exp of its scores.
!part        = !graph.tensor<2560x128xf32>      // 16 sequences, 4 splits, 40 heads
!lse         = !graph.tensor<64x40xf32>

// Weights stacked over the layers, and one layer of each.
!norm_all    = !graph.tensor<40x5120xbf16>
!norm        = !graph.tensor<1x5120xbf16>
!hnorm_all   = !graph.tensor<40x128xbf16>
!hnorm       = !graph.tensor<1x128xbf16>
!wq_all      = !graph.tensor<204800x5120xbf16>  // also the output projection
!wq          = !graph.tensor<5120x5120xbf16>
!wkv_all     = !graph.tensor<204800x1024xbf16>
!wkv         = !graph.tensor<5120x1024xbf16>
!wffn_all    = !graph.tensor<204800x17408xbf16> // gate and up
!wffn        = !graph.tensor<5120x17408xbf16>
!wdown_all   = !graph.tensor<696320x5120xbf16>
!wdown       = !graph.tensor<17408x5120xbf16>
!wdown_slab  = !graph.tensor<1024x5120xbf16>

// Cache, its index tables, and the rotary tables (one row a position).
!cache       = !graph.tensor<20971520x128xbf16>
!lens        = !graph.tensor<16xi32>
!slots       = !graph.tensor<16xi32>
!table       = !graph.tensor<16x32xi32>
!rope        = !graph.tensor<4096x128xf32>

module attributes {graph.runtime = #graph.runtime<host_build_graph>} {

  //===------------------------------------------------------------------===//
  // Kernels. `aic` runs on the cube unit, `aiv` on the vector unit, `incore` on
  // both. A kernel that fills one band of a buffer declares it `out`: it reads
  // nothing of it, and the bands of a parallel loop do not wait for each other.
  //===------------------------------------------------------------------===//

  // y = bf16(x / rms(x) * w), row by row.
  graph.func private aiv @rms_norm(in %x: !hidden_f32, in %w: !norm, out %y: !hidden_bf16) -> (%y)

  // Columns [n0, n0 + 512) of x * w.
  graph.func private aic @q_proj(in %x: !hidden_bf16, in %w: !wq, out %q: !hidden_f32, in %n0: index) -> (%q)
  graph.func private aic @k_proj(in %x: !hidden_bf16, in %w: !wkv, out %k: !kv_f32, in %n0: index) -> (%k)
  graph.func private aic @v_proj(in %x: !hidden_bf16, in %w: !wkv, out %v: !kv_f32, in %n0: index) -> (%v)

  // RMS norm of every head by itself, in place; the heads share one weight.
  graph.func private aiv @q_norm(inout %q: !hidden_f32, in %w: !hnorm) -> (%q)
  graph.func private aiv @k_norm(inout %k: !kv_f32, in %w: !hnorm) -> (%k)

  // Rotary embedding at position seq_lens[b] - 1. Queries leave as the bf16
  // operand of the attention; keys stay f32, the cache write rounds them.
  graph.func private aiv @q_rope(in %q: !hidden_f32, in %cos: !rope, in %sin: !rope, in %seq_lens: !lens,
                                 out %q_rot: !hidden_bf16) -> (%q_rot)
  graph.func private aiv @k_rope(inout %k: !kv_f32, in %cos: !rope, in %sin: !rope, in %seq_lens: !lens) -> (%k)

  // Round to bf16 and scatter the 16 new tokens to their slots. All other rows
  // of the cache keep what they hold: `inout`.
  graph.func private aiv @k_cache_write(in %k: !kv_f32, in %slot_mapping: !slots, inout %cache: !cache,
                                        in %cache_row0: index) -> (%cache)
  graph.func private aiv @v_cache_write(in %v: !kv_f32, in %slot_mapping: !slots, inout %cache: !cache,
                                        in %cache_row0: index) -> (%cache)

  // Attention of sequence `row` over pages [8 split, 8 split + 8): all 40 query
  // heads, online softmax, unnormalised result and log-sum-exp. A split past
  // the end of the sequence writes zeros and -inf.
  graph.func private incore @attn_split(in %q: !hidden_bf16, in %k_cache: !cache, in %v_cache: !cache,
                                        in %block_table: !table, in %seq_lens: !lens,
                                        out %part: !part, out %lse: !lse,
                                        in %row: index, in %split: index, in %cache_row0: index)
      -> (%part, %lse)
  // Weigh the 4 splits of sequence `row` by their log-sum-exp and add them up.
  graph.func private aiv @attn_combine(in %part: !part, in %lse: !lse, out %o: !hidden_bf16, in %row: index) -> (%o)

  graph.func private aic @o_proj(in %x: !hidden_bf16, in %w: !wq, out %y: !hidden_f32, in %n0: index) -> (%y)

  // h += x
  graph.func private aiv @residual_add(in %x: !hidden_f32, inout %h: !hidden_f32) -> (%h)

  graph.func private aic @gate_proj(in %x: !hidden_bf16, in %w: !wffn, out %g: !ffn_f32, in %n0: index) -> (%g)
  graph.func private aic @up_proj(in %x: !hidden_bf16, in %w: !wffn, out %u: !ffn_f32, in %n0: index) -> (%u)

  // Columns [n0, n0 + 1024) of bf16(silu(g) * u).
  graph.func private aiv @silu_mul(in %g: !ffn_f32, in %u: !ffn_f32, out %act: !ffn_bf16, in %n0: index) -> (%act)

  graph.func private aiv @zero(out %y: !hidden_f32) -> (%y)
  // y += act[:, k0 : k0 + 1024] * w, where w is that slab of 1024 rows.
  graph.func private aic @down_slab(in %act: !ffn_bf16, in %w: !wdown_slab, inout %y: !hidden_f32, in %k0: index) -> (%y)

  //===------------------------------------------------------------------===//
  // The step: from the embeddings of the new tokens to the input of the final
  // norm and the vocabulary projection, which the caller owns.
  //===------------------------------------------------------------------===//

  graph.func orchestration @decode_step(
      inout %hidden: !hidden_f32,
      in %input_norm_all: !norm_all, in %post_norm_all: !norm_all,
      in %wq_all: !wq_all, in %wk_all: !wkv_all, in %wv_all: !wkv_all,
      in %q_norm_all: !hnorm_all, in %k_norm_all: !hnorm_all,
      in %wo_all: !wq_all, in %w_gate_all: !wffn_all, in %w_up_all: !wffn_all, in %w_down_all: !wdown_all,
      inout %k_cache: !cache, inout %v_cache: !cache,
      in %seq_lens: !lens, in %block_table: !table, in %slot_mapping: !slots,
      in %rope_cos: !rope, in %rope_sin: !rope) -> (%hidden, %k_cache, %v_cache) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %layers = arith.constant 40 : index
    %r:3 = scf.for %li = %c0 to %layers step %c1
        iter_args(%h = %hidden, %kc = %k_cache, %vc = %v_cache) -> (!hidden_f32, !cache, !cache) {
      // One decoder layer: 217 tasks.
      %out:3 = graph.scope graph "decoder_layer" -> (!hidden_f32, !cache, !cache) {
        // The layer's own weights.
        %hidden_size = arith.constant 5120 : index
        %ffn_size = arith.constant 17408 : index
        %row_hidden = arith.muli %li, %hidden_size : index
        %row_ffn = arith.muli %li, %ffn_size : index
        %w_input_norm = graph.slice %input_norm_all[%li, 0] [1, 5120] : !norm_all to !norm
        %w_post_norm = graph.slice %post_norm_all[%li, 0] [1, 5120] : !norm_all to !norm
        %wq = graph.slice %wq_all[%row_hidden, 0] [5120, 5120] : !wq_all to !wq
        %wk = graph.slice %wk_all[%row_hidden, 0] [5120, 1024] : !wkv_all to !wkv
        %wv = graph.slice %wv_all[%row_hidden, 0] [5120, 1024] : !wkv_all to !wkv
        %w_q_norm = graph.slice %q_norm_all[%li, 0] [1, 128] : !hnorm_all to !hnorm
        %w_k_norm = graph.slice %k_norm_all[%li, 0] [1, 128] : !hnorm_all to !hnorm
        %wo = graph.slice %wo_all[%row_hidden, 0] [5120, 5120] : !wq_all to !wq
        %w_gate = graph.slice %w_gate_all[%row_hidden, 0] [5120, 17408] : !wffn_all to !wffn
        %w_up = graph.slice %w_up_all[%row_hidden, 0] [5120, 17408] : !wffn_all to !wffn
        %w_down = graph.slice %w_down_all[%row_ffn, 0] [17408, 5120] : !wdown_all to !wdown

        // Where the layer's pages begin: 512 pages of 8 heads of 128 tokens.
        %cache_rows = arith.constant 524288 : index
        %cache_row0 = arith.muli %li, %cache_rows : index

        // Attention block. --------------------------------------------------------

        %x_buf = graph.create : !hidden_bf16
        %x = graph.call @rms_norm(%h, %w_input_norm, %x_buf)
            : (!hidden_f32, !norm, !hidden_bf16) -> !hidden_bf16

        // q, k and v, in bands of 512 columns (four heads).
        %band = arith.constant 512 : index
        %q_bands = arith.constant 10 : index
        %kv_bands = arith.constant 2 : index

        %q_buf = graph.create : !hidden_f32
        %q0 = scf.for %t = %c0 to %q_bands step %c1 iter_args(%q = %q_buf) -> (!hidden_f32) {
          %n0 = arith.muli %t, %band : index
          %q_next = graph.call @q_proj(%x, %wq, %q, %n0)
              : (!hidden_bf16, !wq, !hidden_f32, index) -> !hidden_f32
          scf.yield %q_next : !hidden_f32
        } {graph.parallel}

        %k_buf = graph.create : !kv_f32
        %k0 = scf.for %t = %c0 to %kv_bands step %c1 iter_args(%k = %k_buf) -> (!kv_f32) {
          %n0 = arith.muli %t, %band : index
          %k_next = graph.call @k_proj(%x, %wk, %k, %n0)
              : (!hidden_bf16, !wkv, !kv_f32, index) -> !kv_f32
          scf.yield %k_next : !kv_f32
        } {graph.parallel}

        %v_buf = graph.create : !kv_f32
        %v0 = scf.for %t = %c0 to %kv_bands step %c1 iter_args(%v = %v_buf) -> (!kv_f32) {
          %n0 = arith.muli %t, %band : index
          %v_next = graph.call @v_proj(%x, %wv, %v, %n0)
              : (!hidden_bf16, !wkv, !kv_f32, index) -> !kv_f32
          scf.yield %v_next : !kv_f32
        } {graph.parallel}

        // Norm of the heads, then the rotation.
        %q1 = graph.call @q_norm(%q0, %w_q_norm) : (!hidden_f32, !hnorm) -> !hidden_f32
        %k1 = graph.call @k_norm(%k0, %w_k_norm) : (!kv_f32, !hnorm) -> !kv_f32

        %q_rot_buf = graph.create : !hidden_bf16
        %q_rot = graph.call @q_rope(%q1, %rope_cos, %rope_sin, %seq_lens, %q_rot_buf)
            : (!hidden_f32, !rope, !rope, !lens, !hidden_bf16) -> !hidden_bf16
        %k_rot = graph.call @k_rope(%k1, %rope_cos, %rope_sin, %seq_lens)
            : (!kv_f32, !rope, !rope, !lens) -> !kv_f32

        // The new token enters the cache before the attention reads it.
        %k_cache1 = graph.call @k_cache_write(%k_rot, %slot_mapping, %kc, %cache_row0)
            : (!kv_f32, !slots, !cache, index) -> !cache
        %v_cache1 = graph.call @v_cache_write(%v0, %slot_mapping, %vc, %cache_row0)
            : (!kv_f32, !slots, !cache, index) -> !cache

        // 16 sequences in 4 splits of 8 pages each. How many of those pages are in
        // use is known to the kernel alone: the number of tasks does not depend on it.
        %rows = arith.constant 16 : index
        %splits = arith.constant 4 : index
        %part_buf = graph.create : !part
        %lse_buf = graph.create : !lse
        %part:2 = scf.for %row = %c0 to %rows step %c1
            iter_args(%p_row = %part_buf, %l_row = %lse_buf) -> (!part, !lse) {
          %of_row:2 = scf.for %split = %c0 to %splits step %c1
              iter_args(%p = %p_row, %l = %l_row) -> (!part, !lse) {
            %next:2 = graph.call @attn_split(%q_rot, %k_cache1, %v_cache1, %block_table, %seq_lens,
                                             %p, %l, %row, %split, %cache_row0)
                : (!hidden_bf16, !cache, !cache, !table, !lens, !part, !lse, index, index, index)
                -> (!part, !lse)
            scf.yield %next#0, %next#1 : !part, !lse
          } {graph.parallel}
          scf.yield %of_row#0, %of_row#1 : !part, !lse
        } {graph.parallel}

        %attn_buf = graph.create : !hidden_bf16
        %attn = scf.for %row = %c0 to %rows step %c1 iter_args(%o = %attn_buf) -> (!hidden_bf16) {
          %o_next = graph.call @attn_combine(%part#0, %part#1, %o, %row)
              : (!part, !lse, !hidden_bf16, index) -> !hidden_bf16
          scf.yield %o_next : !hidden_bf16
        } {graph.parallel}

        // Output projection, added to the residual stream.
        %o_buf = graph.create : !hidden_f32
        %o_proj = scf.for %t = %c0 to %q_bands step %c1 iter_args(%o = %o_buf) -> (!hidden_f32) {
          %n0 = arith.muli %t, %band : index
          %o_next = graph.call @o_proj(%attn, %wo, %o, %n0)
              : (!hidden_bf16, !wq, !hidden_f32, index) -> !hidden_f32
          scf.yield %o_next : !hidden_f32
        } {graph.parallel}
        %hidden1 = graph.call @residual_add(%o_proj, %h) : (!hidden_f32, !hidden_f32) -> !hidden_f32

        // Feed-forward block. -----------------------------------------------------

        %y_buf = graph.create : !hidden_bf16
        %y = graph.call @rms_norm(%hidden1, %w_post_norm, %y_buf)
            : (!hidden_f32, !norm, !hidden_bf16) -> !hidden_bf16

        // Gate and up: 34 bands of 512 columns each.
        %ffn_bands = arith.constant 34 : index
        %gate_buf = graph.create : !ffn_f32
        %up_buf = graph.create : !ffn_f32
        %gate_up:2 = scf.for %t = %c0 to %ffn_bands step %c1
            iter_args(%g = %gate_buf, %u = %up_buf) -> (!ffn_f32, !ffn_f32) {
          %n0 = arith.muli %t, %band : index
          %g_next = graph.call @gate_proj(%y, %w_gate, %g, %n0)
              : (!hidden_bf16, !wffn, !ffn_f32, index) -> !ffn_f32
          %u_next = graph.call @up_proj(%y, %w_up, %u, %n0)
              : (!hidden_bf16, !wffn, !ffn_f32, index) -> !ffn_f32
          scf.yield %g_next, %u_next : !ffn_f32, !ffn_f32
        } {graph.parallel}

        %slab = arith.constant 1024 : index
        %slabs = arith.constant 17 : index
        %act_buf = graph.create : !ffn_bf16
        %act = scf.for %t = %c0 to %slabs step %c1 iter_args(%a = %act_buf) -> (!ffn_bf16) {
          %n0 = arith.muli %t, %slab : index
          %a_next = graph.call @silu_mul(%gate_up#0, %gate_up#1, %a, %n0)
              : (!ffn_f32, !ffn_f32, !ffn_bf16, index) -> !ffn_bf16
          scf.yield %a_next : !ffn_bf16
        } {graph.parallel}

        // Down: the reduction is the long side, so it is cut along the rows of the
        // weight: 17 slabs of 1024 rows (10 MiB, contiguous), accumulated in order.
        %down_buf = graph.create : !hidden_f32
        %down0 = graph.call @zero(%down_buf) : (!hidden_f32) -> !hidden_f32
        %down = scf.for %t = %c0 to %slabs step %c1 iter_args(%d = %down0) -> (!hidden_f32) {
          %r0 = arith.muli %t, %slab : index
          %w_slab = graph.slice %w_down[%r0, 0] [1024, 5120] : !wdown to !wdown_slab
          %d_next = graph.call @down_slab(%act, %w_slab, %d, %r0)
              : (!ffn_bf16, !wdown_slab, !hidden_f32, index) -> !hidden_f32
          scf.yield %d_next : !hidden_f32
        }
        %hidden2 = graph.call @residual_add(%down, %hidden1) : (!hidden_f32, !hidden_f32) -> !hidden_f32
        graph.yield %hidden2, %k_cache1, %v_cache1 : !hidden_f32, !cache, !cache
      }
      scf.yield %out#0, %out#1, %out#2 : !hidden_f32, !cache, !cache
    }
    graph.return %r#0, %r#1, %r#2 : !hidden_f32, !cache, !cache
  }
}
