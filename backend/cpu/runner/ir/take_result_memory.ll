; digest 7fc8842a8098984ed7e067187dd19bc8
; The program guardlift_take_result_memory of guardlift's native runtime, made by `make programs` from its source.
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
; ModuleID = 'guardlift_take_result_memory'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


define i64 @guardlift_take_result_memory(i64 %.1, i64 %.2) local_unnamed_addr {
entry:
  %.11.i = inttoptr i64 %.1 to ptr
  %.22.i = cmpxchg ptr %.11.i, i64 0, i64 1 seq_cst seq_cst, align 8, !noalias !0
  %.23.i = extractvalue { i64, i1 } %.22.i, 1
  br i1 %.23.i, label %B94.i, label %B560.i

B94.i:                                            ; preds = %entry
  %.29.i = getelementptr i8, ptr %.11.i, i64 32
  %.30.i = load i64, ptr %.29.i, align 8, !noalias !0
  %.1127.not.i = icmp slt i64 %.30.i, 1
  br i1 %.1127.not.i, label %B544.thread3.i, label %B152.lr.ph.i

B152.lr.ph.i:                                     ; preds = %B94.i
  %storemerge.i = ashr i64 %.2, 3
  %.211.i = add nsw i64 %storemerge.i, %.2
  br label %B152.i

B152.i:                                           ; preds = %B561.i, %B152.lr.ph.i
  %.12512.i = phi i64 [ 1, %B152.lr.ph.i ], [ %.125.i, %B561.i ]
  %chosen.010.i = phi i64 [ -1, %B152.lr.ph.i ], [ %chosen.1.i, %B561.i ]
  %.54.09.i = phi i64 [ 0, %B152.lr.ph.i ], [ %.12512.i, %B561.i ]
  %.idx59.i = shl i64 %.54.09.i, 4
  %0 = getelementptr i8, ptr %.11.i, i64 %.idx59.i
  %.156.i = getelementptr i8, ptr %0, i64 104
  %.157.i = load i64, ptr %.156.i, align 8, !noalias !0
  %.163.not.i = icmp sgt i64 %.2, %.157.i
  %.213.not.i = icmp sgt i64 %.157.i, %.211.i
  %or.cond.i = select i1 %.163.not.i, i1 true, i1 %.213.not.i
  br i1 %or.cond.i, label %B561.i, label %B252.i

B252.i:                                           ; preds = %B152.i
  %.218.i = icmp slt i64 %chosen.010.i, 0
  br i1 %.218.i, label %B316.i, label %B264.i

B264.i:                                           ; preds = %B252.i
  %.idx60.i = shl i64 %chosen.010.i, 4
  %1 = getelementptr i8, ptr %.11.i, i64 %.idx60.i
  %.225.i = getelementptr i8, ptr %1, i64 104
  %.226.i = load i64, ptr %.225.i, align 8, !noalias !0
  %.228.i = icmp slt i64 %.157.i, %.226.i
  br i1 %.228.i, label %B316.i, label %B561.i

B316.i:                                           ; preds = %B264.i, %B252.i
  br label %B561.i

B322.i:                                           ; preds = %B561.i
  %.236.i = icmp sgt i64 %chosen.1.i, -1
  br i1 %.236.i, label %B334.i, label %B544.thread3.i

B334.i:                                           ; preds = %B322.i
  %.idx.i = shl i64 %chosen.1.i, 4
  %2 = getelementptr i8, ptr %.11.i, i64 %.idx.i
  %.242.i = getelementptr i8, ptr %2, i64 96
  %.243.i = load i64, ptr %.242.i, align 8, !noalias !0
  %.9.i.i = getelementptr i8, ptr %.11.i, i64 24
  %.10.i.i = load i64, ptr %.9.i.i, align 8, !noalias !3
  %.15.i.i = getelementptr i8, ptr %2, i64 104
  %.16.i.i = load i64, ptr %.15.i.i, align 8, !noalias !3
  %.17.i.i = sub nsw i64 %.10.i.i, %.16.i.i
  store i64 %.17.i.i, ptr %.9.i.i, align 8, !noalias !3
  %.24.i.i = add nsw i64 %.30.i, -1
  %.1101.not.i.i.not = icmp sgt i64 %.24.i.i, %chosen.1.i
  br i1 %.1101.not.i.i.not, label %B152.i.i.preheader, label %B544.i

B152.i.i.preheader:                               ; preds = %B334.i
  %3 = xor i64 %chosen.1.i, -1
  %4 = add nsw i64 %.30.i, %3
  %5 = add nsw i64 %.30.i, -2
  %6 = sub i64 %5, %chosen.1.i
  %xtraiter = and i64 %4, 3
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B152.i.i.prol.loopexit, label %B152.i.i.prol

B152.i.i.prol:                                    ; preds = %B152.i.i.preheader, %B152.i.i.prol
  %.52.02.i.i.prol = phi i64 [ %.123.i.i.prol, %B152.i.i.prol ], [ %chosen.1.i, %B152.i.i.preheader ]
  %prol.iter = phi i64 [ %prol.iter.next, %B152.i.i.prol ], [ 0, %B152.i.i.preheader ]
  %7 = shl i64 %.52.02.i.i.prol, 4
  %.123.i.i.prol = add i64 %.52.02.i.i.prol, 1
  %8 = getelementptr i8, ptr %.11.i, i64 %7
  %.152.i.i.prol = getelementptr i8, ptr %8, i64 112
  %.153.i.i.prol = load i64, ptr %.152.i.i.prol, align 8, !noalias !3
  %.157.i.i.prol = getelementptr i8, ptr %8, i64 96
  store i64 %.153.i.i.prol, ptr %.157.i.i.prol, align 8, !noalias !3
  %.163.i.i.prol = getelementptr i8, ptr %8, i64 120
  %.164.i.i.prol = load i64, ptr %.163.i.i.prol, align 8, !noalias !3
  %.169.i.i.prol = getelementptr i8, ptr %8, i64 104
  store i64 %.164.i.i.prol, ptr %.169.i.i.prol, align 8, !noalias !3
  %prol.iter.next = add i64 %prol.iter, 1
  %prol.iter.cmp.not = icmp eq i64 %prol.iter.next, %xtraiter
  br i1 %prol.iter.cmp.not, label %B152.i.i.prol.loopexit, label %B152.i.i.prol, !llvm.loop !6

B152.i.i.prol.loopexit:                           ; preds = %B152.i.i.prol, %B152.i.i.preheader
  %.52.02.i.i.unr = phi i64 [ %chosen.1.i, %B152.i.i.preheader ], [ %.123.i.i.prol, %B152.i.i.prol ]
  %9 = icmp ult i64 %6, 3
  br i1 %9, label %B544.i, label %B152.i.i

B152.i.i:                                         ; preds = %B152.i.i.prol.loopexit, %B152.i.i
  %.52.02.i.i = phi i64 [ %.123.i.i.3, %B152.i.i ], [ %.52.02.i.i.unr, %B152.i.i.prol.loopexit ]
  %10 = shl i64 %.52.02.i.i, 4
  %11 = getelementptr i8, ptr %.11.i, i64 %10
  %.152.i.i = getelementptr i8, ptr %11, i64 112
  %.153.i.i = load i64, ptr %.152.i.i, align 8, !noalias !3
  %.157.i.i = getelementptr i8, ptr %11, i64 96
  store i64 %.153.i.i, ptr %.157.i.i, align 8, !noalias !3
  %.163.i.i = getelementptr i8, ptr %11, i64 120
  %.164.i.i = load i64, ptr %.163.i.i, align 8, !noalias !3
  %.169.i.i = getelementptr i8, ptr %11, i64 104
  store i64 %.164.i.i, ptr %.169.i.i, align 8, !noalias !3
  %.123.i.i = shl i64 %.52.02.i.i, 4
  %12 = getelementptr i8, ptr %.11.i, i64 %.123.i.i
  %.152.i.i.1 = getelementptr i8, ptr %12, i64 128
  %.153.i.i.1 = load i64, ptr %.152.i.i.1, align 8, !noalias !3
  %.157.i.i.1 = getelementptr i8, ptr %12, i64 112
  store i64 %.153.i.i.1, ptr %.157.i.i.1, align 8, !noalias !3
  %.163.i.i.1 = getelementptr i8, ptr %12, i64 136
  %.164.i.i.1 = load i64, ptr %.163.i.i.1, align 8, !noalias !3
  %.169.i.i.1 = getelementptr i8, ptr %12, i64 120
  store i64 %.164.i.i.1, ptr %.169.i.i.1, align 8, !noalias !3
  %.123.i.i.1 = shl i64 %.52.02.i.i, 4
  %13 = getelementptr i8, ptr %.11.i, i64 %.123.i.i.1
  %.152.i.i.2 = getelementptr i8, ptr %13, i64 144
  %.153.i.i.2 = load i64, ptr %.152.i.i.2, align 8, !noalias !3
  %.157.i.i.2 = getelementptr i8, ptr %13, i64 128
  store i64 %.153.i.i.2, ptr %.157.i.i.2, align 8, !noalias !3
  %.163.i.i.2 = getelementptr i8, ptr %13, i64 152
  %.164.i.i.2 = load i64, ptr %.163.i.i.2, align 8, !noalias !3
  %.169.i.i.2 = getelementptr i8, ptr %13, i64 136
  store i64 %.164.i.i.2, ptr %.169.i.i.2, align 8, !noalias !3
  %.123.i.i.2 = shl i64 %.52.02.i.i, 4
  %.123.i.i.3 = add i64 %.52.02.i.i, 4
  %14 = getelementptr i8, ptr %.11.i, i64 %.123.i.i.2
  %.152.i.i.3 = getelementptr i8, ptr %14, i64 160
  %.153.i.i.3 = load i64, ptr %.152.i.i.3, align 8, !noalias !3
  %.157.i.i.3 = getelementptr i8, ptr %14, i64 144
  store i64 %.153.i.i.3, ptr %.157.i.i.3, align 8, !noalias !3
  %.163.i.i.3 = getelementptr i8, ptr %14, i64 168
  %.164.i.i.3 = load i64, ptr %.163.i.i.3, align 8, !noalias !3
  %.169.i.i.3 = getelementptr i8, ptr %14, i64 152
  store i64 %.164.i.i.3, ptr %.169.i.i.3, align 8, !noalias !3
  %exitcond.not.3 = icmp eq i64 %.123.i.i.3, %.24.i.i
  br i1 %exitcond.not.3, label %B544.i, label %B152.i.i

B544.thread3.i:                                   ; preds = %B322.i, %B94.i
  %.282.i = getelementptr i8, ptr %.11.i, i64 48
  %.283.i = load i64, ptr %.282.i, align 8, !noalias !0
  %.284.i = add nsw i64 %.283.i, 1
  store i64 %.284.i, ptr %.282.i, align 8, !noalias !0
  %.2935.i = atomicrmw xchg ptr %.11.i, i64 0 seq_cst, align 8, !noalias !0
  br label %B560.i

B544.i:                                           ; preds = %B152.i.i.prol.loopexit, %B152.i.i, %B334.i
  store i64 %.24.i.i, ptr %.29.i, align 8, !noalias !3
  %.274.i = getelementptr i8, ptr %.11.i, i64 40
  %.275.i = load i64, ptr %.274.i, align 8, !noalias !0
  %.276.i = add nsw i64 %.275.i, 1
  store i64 %.276.i, ptr %.274.i, align 8, !noalias !0
  %.293.i = atomicrmw xchg ptr %.11.i, i64 0 seq_cst, align 8, !noalias !0
  %.296.not.i = icmp eq i64 %.243.i, 0
  br i1 %.296.not.i, label %B560.i, label %take_result_memory.exit

B560.i:                                           ; preds = %B544.i, %B544.thread3.i, %entry
  %.302.i = getelementptr i8, ptr %.11.i, i64 80
  %.303.i = load i64, ptr %.302.i, align 8, !noalias !0
  %.305.i = getelementptr i8, ptr %.11.i, i64 72
  %.306.i = load i64, ptr %.305.i, align 8, !noalias !0
  %.308.i = inttoptr i64 %.303.i to ptr
  %.309.i = tail call i64 %.308.i(i64 %.306.i, i64 %.2), !noalias !0
  br label %take_result_memory.exit

B561.i:                                           ; preds = %B316.i, %B264.i, %B152.i
  %chosen.1.i = phi i64 [ %chosen.010.i, %B152.i ], [ %chosen.010.i, %B264.i ], [ %.54.09.i, %B316.i ]
  %.125.i = add nuw i64 %.12512.i, 1
  %exitcond.not.i = icmp eq i64 %.12512.i, %.30.i
  br i1 %exitcond.not.i, label %B322.i, label %B152.i

take_result_memory.exit: ; preds = %B544.i, %B560.i
  %storemerge73.i = phi i64 [ %.309.i, %B560.i ], [ %.243.i, %B544.i ]
  ret i64 %storemerge73.i
}

!0 = !{!1}
!1 = distinct !{!1, !2, !"take_result_memory: %retptr"}
!2 = distinct !{!2, !"take_result_memory"}
!3 = !{!4, !1}
!4 = distinct !{!4, !5, !"forgotten: %retptr"}
!5 = distinct !{!5, !"forgotten"}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.unroll.disable"}
