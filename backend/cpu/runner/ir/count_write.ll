; digest bda226818d9ab776d68e6d19b0e37bf3
; The program guardlift_count_write of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py 593aaea976605c17dc2850b2025a2ad9
; source backend/cpu/compiler/numba_functions.py cb9b1c36af3007b22ef3a2021110394a
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/compiler/python_calls.py c8522409e7c76fe342a4eb4d77d2d672
; source backend/cpu/plan/table_layout.py b1d5a4207644d2272747b2908b5c9ccf
; source backend/cpu/runner/checks.py ec2503d1e3e3f9f4e54d967e0f62ca33
; source backend/cpu/runner/word_checks.py c0e2650a72a4040f534b0ee7d142a181
; source backend/llvm/native_functions.py 8470d6db57a161a1db5405622a6894a3
; ModuleID = 'guardlift_count_write'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define noundef i64 @guardlift_count_write(i64 %.1, i64 %.2, i64 %.3, i64 %.4) local_unnamed_addr #0 {
entry:
  %.8.i = add nsw i64 %.2, 24
  %.9.i = inttoptr i64 %.8.i to ptr
  %.11.i = load i64, ptr %.9.i, align 8, !noalias !0
  %.12.i = add nsw i64 %.11.i, 4096
  store i64 %.12.i, ptr %.9.i, align 8, !noalias !0
  ret i64 0
}

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"count_write: %retptr"}
!2 = distinct !{!2, !"count_write"}
