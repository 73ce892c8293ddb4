; digest 47dbc0e35f215edf228df58720d02ac9
; The program guardlift_give_result_memory of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py 593aaea976605c17dc2850b2025a2ad9
; source backend/cpu/compiler/numba_functions.py cb9b1c36af3007b22ef3a2021110394a
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/plan/table_layout.py b1d5a4207644d2272747b2908b5c9ccf
; source backend/cpu/runner/checks.py ec2503d1e3e3f9f4e54d967e0f62ca33
; source backend/cpu/runner/result_memory.py b2e3be8ab7b879c3621daa827ab03d21
; source backend/cpu/runner/team.py 4aad1d4f74e8cb6029073e7c329f38d9
; source backend/llvm/native_functions.py 8470d6db57a161a1db5405622a6894a3
; ModuleID = 'guardlift_give_result_memory'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


declare i64 @malloc_usable_size(i64) local_unnamed_addr

define noundef i64 @guardlift_give_result_memory(i64 %.1, i64 %.2, i64 %.3) local_unnamed_addr {
entry:
  %.14.i = inttoptr i64 %.1 to ptr
  %.22.i = cmpxchg ptr %.14.i, i64 0, i64 1 seq_cst seq_cst, align 8, !noalias !0
  %.23.i = extractvalue { i64, i1 } %.22.i, 1
  %.42.not.i = icmp eq i64 %.2, 0
  br i1 %.23.i, label %B186.i, label %B90.i

B90.i:                                            ; preds = %entry
  br i1 %.42.not.i, label %give_result_memory.exit, label %B102.i

B102.i:                                           ; preds = %B90.i
  %.29.i = getelementptr i8, ptr %.14.i, i64 88
  %.30.i = load i64, ptr %.29.i, align 8, !noalias !0
  %.32.i = getelementptr i8, ptr %.14.i, i64 72
  %.33.i = load i64, ptr %.32.i, align 8, !noalias !0
  %.36.i = inttoptr i64 %.30.i to ptr
  tail call void %.36.i(i64 %.33.i, i64 %.2, i64 %.3), !noalias !0
  br label %give_result_memory.exit

B186.i:                                           ; preds = %entry
  br i1 %.42.not.i, label %B318.i, label %B230.i

B230.i:                                           ; preds = %B186.i
  %.45.i = tail call i64 @malloc_usable_size(i64 %.2), !noalias !0
  %.64.i = getelementptr i8, ptr %.14.i, i64 8
  %.65.i = load i64, ptr %.64.i, align 8, !noalias !0
  %.67.not.i = icmp sgt i64 %.65.i, %.45.i
  br i1 %.67.not.i, label %B318.i, label %B282.i

B282.i:                                           ; preds = %B230.i
  %.76.i = getelementptr i8, ptr %.14.i, i64 16
  %.77.i = load i64, ptr %.76.i, align 8, !noalias !0
  %.79.i = icmp sle i64 %.45.i, %.77.i
  br label %B318.i

B318.i:                                           ; preds = %B282.i, %B230.i, %B186.i
  %brmerge.i = phi i1 [ false, %B230.i ], [ %.79.i, %B282.i ], [ true, %B186.i ]
  %nbytes.0.i = phi i64 [ %.45.i, %B230.i ], [ %.45.i, %B282.i ], [ 0, %B186.i ]
  %"$phi318.0.0.i" = phi i1 [ false, %B230.i ], [ %.79.i, %B282.i ], [ false, %B186.i ]
  %.89.i = getelementptr i8, ptr %.14.i, i64 32
  %.90.i = load i64, ptr %.89.i, align 8, !noalias !0
  %.91.i = icmp sgt i64 %.90.i, 0
  br i1 %.91.i, label %B354.i, label %B774.i

B354.i:                                           ; preds = %B318.i
  %.94.i = getelementptr i8, ptr %.14.i, i64 24
  %.95.i = load i64, ptr %.94.i, align 8, !noalias !0
  %.100.i = select i1 %"$phi318.0.0.i", i64 %nbytes.0.i, i64 0
  %.101.i = add nsw i64 %.95.i, %.100.i
  %.103.i = getelementptr i8, ptr %.14.i, i64 16
  %.104.i = load i64, ptr %.103.i, align 8, !noalias !0
  %.105.i = icmp sgt i64 %.101.i, %.104.i
  %.110.i = icmp eq i64 %.90.i, 32
  %or.cond.i = or i1 %.110.i, %.105.i
  br i1 %or.cond.i, label %B466.preheader.i, label %B774thread-pre-split.i

B466.preheader.i:                                 ; preds = %B354.i
  %.113.i = getelementptr i8, ptr %.14.i, i64 88
  %.116.i = getelementptr i8, ptr %.14.i, i64 72
  %.119.i = getelementptr i8, ptr %.14.i, i64 96
  %.123.i = getelementptr i8, ptr %.14.i, i64 104
  br label %B466.i

B466.i:                                           ; preds = %B662.i, %B466.preheader.i
  %.114.i = load i64, ptr %.113.i, align 8, !noalias !0
  %.117.i = load i64, ptr %.116.i, align 8, !noalias !0
  %.120.i = load i64, ptr %.119.i, align 8, !noalias !0
  %.124.i = load i64, ptr %.123.i, align 8, !noalias !0
  %.125.i = inttoptr i64 %.114.i to ptr
  tail call void %.125.i(i64 %.117.i, i64 %.120.i, i64 %.124.i), !noalias !0
  %.10.i.i = load i64, ptr %.94.i, align 8, !noalias !3
  %.16.i.i = load i64, ptr %.123.i, align 8, !noalias !3
  %.17.i.i = sub nsw i64 %.10.i.i, %.16.i.i
  store i64 %.17.i.i, ptr %.94.i, align 8, !noalias !3
  %.23.i.i = load i64, ptr %.89.i, align 8, !noalias !3
  %.24.i.i = add nsw i64 %.23.i.i, -1
  %.66.i.i = icmp slt i64 %.23.i.i, 2
  %spec.select.i.i = select i1 %.66.i.i, i64 0, i64 %.24.i.i
  %.1101.i.i = icmp sgt i64 %spec.select.i.i, 0
  br i1 %.1101.i.i, label %B152.i.i.preheader, label %forgotten.exit.i

B152.i.i.preheader:                               ; preds = %B466.i
  %xtraiter = and i64 %spec.select.i.i, 3
  %0 = icmp ult i64 %spec.select.i.i, 4
  br i1 %0, label %B152.i.i.epil.preheader, label %B152.i.i.preheader.new

B152.i.i.preheader.new:                           ; preds = %B152.i.i.preheader
  %unroll_iter = and i64 %spec.select.i.i, 9223372036854775804
  br label %B152.i.i

B152.i.i:                                         ; preds = %B152.i.i, %B152.i.i.preheader.new
  %.52.02.i.i = phi i64 [ 0, %B152.i.i.preheader.new ], [ %.123.i.i.3, %B152.i.i ]
  %niter = phi i64 [ 0, %B152.i.i.preheader.new ], [ %niter.next.3, %B152.i.i ]
  %1 = shl i64 %.52.02.i.i, 4
  %2 = getelementptr i8, ptr %.14.i, i64 %1
  %.152.i.i = getelementptr i8, ptr %2, i64 112
  %.153.i.i = load i64, ptr %.152.i.i, align 8, !noalias !3
  %.157.i.i = getelementptr i8, ptr %2, i64 96
  store i64 %.153.i.i, ptr %.157.i.i, align 8, !noalias !3
  %.163.i.i = getelementptr i8, ptr %2, i64 120
  %.164.i.i = load i64, ptr %.163.i.i, align 8, !noalias !3
  %.169.i.i = getelementptr i8, ptr %2, i64 104
  store i64 %.164.i.i, ptr %.169.i.i, align 8, !noalias !3
  %.123.i.i = shl i64 %.52.02.i.i, 4
  %3 = getelementptr i8, ptr %.14.i, i64 %.123.i.i
  %.152.i.i.1 = getelementptr i8, ptr %3, i64 128
  %.153.i.i.1 = load i64, ptr %.152.i.i.1, align 8, !noalias !3
  %.157.i.i.1 = getelementptr i8, ptr %3, i64 112
  store i64 %.153.i.i.1, ptr %.157.i.i.1, align 8, !noalias !3
  %.163.i.i.1 = getelementptr i8, ptr %3, i64 136
  %.164.i.i.1 = load i64, ptr %.163.i.i.1, align 8, !noalias !3
  %.169.i.i.1 = getelementptr i8, ptr %3, i64 120
  store i64 %.164.i.i.1, ptr %.169.i.i.1, align 8, !noalias !3
  %.123.i.i.1 = shl i64 %.52.02.i.i, 4
  %4 = getelementptr i8, ptr %.14.i, i64 %.123.i.i.1
  %.152.i.i.2 = getelementptr i8, ptr %4, i64 144
  %.153.i.i.2 = load i64, ptr %.152.i.i.2, align 8, !noalias !3
  %.157.i.i.2 = getelementptr i8, ptr %4, i64 128
  store i64 %.153.i.i.2, ptr %.157.i.i.2, align 8, !noalias !3
  %.163.i.i.2 = getelementptr i8, ptr %4, i64 152
  %.164.i.i.2 = load i64, ptr %.163.i.i.2, align 8, !noalias !3
  %.169.i.i.2 = getelementptr i8, ptr %4, i64 136
  store i64 %.164.i.i.2, ptr %.169.i.i.2, align 8, !noalias !3
  %.123.i.i.2 = shl i64 %.52.02.i.i, 4
  %.123.i.i.3 = add nuw nsw i64 %.52.02.i.i, 4
  %5 = getelementptr i8, ptr %.14.i, i64 %.123.i.i.2
  %.152.i.i.3 = getelementptr i8, ptr %5, i64 160
  %.153.i.i.3 = load i64, ptr %.152.i.i.3, align 8, !noalias !3
  %.157.i.i.3 = getelementptr i8, ptr %5, i64 144
  store i64 %.153.i.i.3, ptr %.157.i.i.3, align 8, !noalias !3
  %.163.i.i.3 = getelementptr i8, ptr %5, i64 168
  %.164.i.i.3 = load i64, ptr %.163.i.i.3, align 8, !noalias !3
  %.169.i.i.3 = getelementptr i8, ptr %5, i64 152
  store i64 %.164.i.i.3, ptr %.169.i.i.3, align 8, !noalias !3
  %niter.next.3 = add i64 %niter, 4
  %niter.ncmp.3 = icmp eq i64 %niter.next.3, %unroll_iter
  br i1 %niter.ncmp.3, label %forgotten.exit.i.loopexit.unr-lcssa, label %B152.i.i

forgotten.exit.i.loopexit.unr-lcssa: ; preds = %B152.i.i
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %forgotten.exit.i, label %B152.i.i.epil.preheader

B152.i.i.epil.preheader:                          ; preds = %forgotten.exit.i.loopexit.unr-lcssa, %B152.i.i.preheader
  %.52.02.i.i.epil.init = phi i64 [ 0, %B152.i.i.preheader ], [ %.123.i.i.3, %forgotten.exit.i.loopexit.unr-lcssa ]
  %lcmp.mod1 = icmp ne i64 %xtraiter, 0
  tail call void @llvm.assume(i1 %lcmp.mod1)
  br label %B152.i.i.epil

B152.i.i.epil:                                    ; preds = %B152.i.i.epil, %B152.i.i.epil.preheader
  %.52.02.i.i.epil = phi i64 [ %.123.i.i.epil, %B152.i.i.epil ], [ %.52.02.i.i.epil.init, %B152.i.i.epil.preheader ]
  %epil.iter = phi i64 [ %epil.iter.next, %B152.i.i.epil ], [ 0, %B152.i.i.epil.preheader ]
  %6 = shl i64 %.52.02.i.i.epil, 4
  %.123.i.i.epil = add nuw nsw i64 %.52.02.i.i.epil, 1
  %7 = getelementptr i8, ptr %.14.i, i64 %6
  %.152.i.i.epil = getelementptr i8, ptr %7, i64 112
  %.153.i.i.epil = load i64, ptr %.152.i.i.epil, align 8, !noalias !3
  %.157.i.i.epil = getelementptr i8, ptr %7, i64 96
  store i64 %.153.i.i.epil, ptr %.157.i.i.epil, align 8, !noalias !3
  %.163.i.i.epil = getelementptr i8, ptr %7, i64 120
  %.164.i.i.epil = load i64, ptr %.163.i.i.epil, align 8, !noalias !3
  %.169.i.i.epil = getelementptr i8, ptr %7, i64 104
  store i64 %.164.i.i.epil, ptr %.169.i.i.epil, align 8, !noalias !3
  %epil.iter.next = add i64 %epil.iter, 1
  %epil.iter.cmp.not = icmp eq i64 %epil.iter.next, %xtraiter
  br i1 %epil.iter.cmp.not, label %forgotten.exit.i, label %B152.i.i.epil, !llvm.loop !6

forgotten.exit.i: ; preds = %forgotten.exit.i.loopexit.unr-lcssa, %B152.i.i.epil, %B466.i
  store i64 %.24.i.i, ptr %.89.i, align 8, !noalias !3
  %.158.i = icmp sgt i64 %.23.i.i, 1
  br i1 %.158.i, label %B662.i, label %B774thread-pre-split.i

B662.i:                                           ; preds = %forgotten.exit.i
  %.162.i = load i64, ptr %.94.i, align 8, !noalias !0
  %.168.i = add nsw i64 %.162.i, %.100.i
  %.171.i = load i64, ptr %.103.i, align 8, !noalias !0
  %.172.i = icmp sgt i64 %.168.i, %.171.i
  %.177.i = icmp eq i64 %.24.i.i, 32
  %or.cond17.i = or i1 %.177.i, %.172.i
  br i1 %or.cond17.i, label %B466.i, label %B774thread-pre-split.i

B774thread-pre-split.i:                           ; preds = %B662.i, %forgotten.exit.i, %B354.i
  %.1834.i = phi i64 [ %.90.i, %B354.i ], [ %.24.i.i, %forgotten.exit.i ], [ %.24.i.i, %B662.i ]
  br i1 %"$phi318.0.0.i", label %B942.thread.i, label %B942.i

B774.i:                                           ; preds = %B318.i
  br i1 %"$phi318.0.0.i", label %B942.thread.i, label %B942.i

B942.thread.i:                                    ; preds = %B774.i, %B774thread-pre-split.i
  %.183.i = phi i64 [ %.90.i, %B774.i ], [ %.1834.i, %B774thread-pre-split.i ]
  %.idx.i = shl i64 %.183.i, 4
  %8 = getelementptr i8, ptr %.14.i, i64 %.idx.i
  %.188.i = getelementptr i8, ptr %8, i64 96
  store i64 %.2, ptr %.188.i, align 8, !noalias !0
  %.195.i = getelementptr i8, ptr %8, i64 104
  store i64 %nbytes.0.i, ptr %.195.i, align 8, !noalias !0
  %.197.i = add nsw i64 %.183.i, 1
  store i64 %.197.i, ptr %.89.i, align 8, !noalias !0
  %.202.i = getelementptr i8, ptr %.14.i, i64 24
  %.203.i = load i64, ptr %.202.i, align 8, !noalias !0
  %.205.i = add nsw i64 %.203.i, %nbytes.0.i
  store i64 %.205.i, ptr %.202.i, align 8, !noalias !0
  %.2141.i = atomicrmw xchg ptr %.14.i, i64 0 seq_cst, align 8, !noalias !0
  br label %give_result_memory.exit

B942.i:                                           ; preds = %B774.i, %B774thread-pre-split.i
  %.214.i = atomicrmw xchg ptr %.14.i, i64 0 seq_cst, align 8, !noalias !0
  br i1 %brmerge.i, label %give_result_memory.exit, label %B1012.i

B1012.i:                                          ; preds = %B942.i
  %.221.i = getelementptr i8, ptr %.14.i, i64 88
  %.222.i = load i64, ptr %.221.i, align 8, !noalias !0
  %.224.i = getelementptr i8, ptr %.14.i, i64 72
  %.225.i = load i64, ptr %.224.i, align 8, !noalias !0
  %.228.i = inttoptr i64 %.222.i to ptr
  tail call void %.228.i(i64 %.225.i, i64 %.2, i64 %.3), !noalias !0
  br label %give_result_memory.exit

give_result_memory.exit: ; preds = %B90.i, %B102.i, %B942.thread.i, %B942.i, %B1012.i
  ret i64 0
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #0

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"give_result_memory: %retptr"}
!2 = distinct !{!2, !"give_result_memory"}
!3 = !{!4, !1}
!4 = distinct !{!4, !5, !"forgotten: %retptr"}
!5 = distinct !{!5, !"forgotten"}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.unroll.disable"}
