; digest 3dff622ccb946223bee3ce7da4d2c045
; The program guardlift_fresh_tensor of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py e17a5b694241d735aa9fff1357521527
; source backend/cpu/compiler/numba_functions.py da39e9336568b2b78f81c3820809f6f1
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/plan/fresh_tensor_table.py 53f6d6909fe729fc9801b09ce2a1486d
; source backend/cpu/plan/table_layout.py 59b3983e6cb01dd7c89b299806923b2e
; source backend/cpu/runner/checks.py 05bb8b8c6bad8d04059787a9b6269b67
; source backend/cpu/runner/fresh_tensors.py 15fb1cb4c974572ca7fef60af319d506
; source backend/llvm/native_functions.py 5b0fcbc114a9f375dd221d42453f26d0
; ModuleID = 'guardlift_fresh_tensor'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


declare ptr @PyErr_SetNone(i64) local_unnamed_addr

declare i64 @PyObject_CallNoArgs(i64) local_unnamed_addr

declare ptr @Py_IncRef(i64) local_unnamed_addr

declare i64 @PyType_GenericAlloc(i64, i64) local_unnamed_addr

declare ptr @Py_DecRef(i64) local_unnamed_addr

define i64 @guardlift_fresh_tensor(i64 %.1, ptr readonly captures(none) %.2, i64 %.3) local_unnamed_addr {
entry:
  %.11.i = add nsw i64 %.1, 16
  %.12.i = inttoptr i64 %.11.i to ptr
  %.14.i = load i64, ptr %.12.i, align 8, !noalias !0
  %.15.i = inttoptr i64 %.14.i to ptr
  %0 = add i64 %.3, -3
  %or.cond.i = icmp ult i64 %0, -2
  br i1 %or.cond.i, label %B112.i, label %B168.i

B112.i:                                           ; preds = %entry
  %.26.i = getelementptr i8, ptr %.15.i, i64 16
  %.27.i = load i64, ptr %.26.i, align 8, !noalias !0
  %.28.i = tail call ptr @PyErr_SetNone(i64 %.27.i), !noalias !0
  br label %fresh_tensor.exit

B168.i:                                           ; preds = %entry
  %.32.i = icmp eq i64 %.3, 2
  %.41.pn.i = select i1 %.32.i, ptr %.2, ptr %.15.i
  %storemerge.in.i = getelementptr i8, ptr %.41.pn.i, i64 8
  %storemerge.i = load i64, ptr %storemerge.in.i, align 8, !noalias !0
  %.52.i = getelementptr i8, ptr %.15.i, i64 8
  %.53.i = load i64, ptr %.52.i, align 8, !noalias !0
  %.55.i = icmp eq i64 %storemerge.i, %.53.i
  br i1 %.55.i, label %B256.i, label %B326.i

B256.i:                                           ; preds = %B168.i
  %.58.i = getelementptr i8, ptr %.15.i, i64 24
  %.59.i = load i64, ptr %.58.i, align 8, !noalias !0
  %.60.i = tail call i64 @PyObject_CallNoArgs(i64 %.59.i), !noalias !0
  %.64.i = icmp eq i64 %.60.i, 0
  br i1 %.64.i, label %fresh_tensor.exit, label %B356.i

B326.i:                                           ; preds = %B168.i
  %.70.i = tail call ptr @Py_IncRef(i64 %storemerge.i), !noalias !0
  br label %B356.i

B356.i:                                           ; preds = %B326.i, %B256.i
  %counter.0.i = phi i64 [ %.60.i, %B256.i ], [ %storemerge.i, %B326.i ]
  %.74.i = load i64, ptr %.15.i, align 8, !noalias !0
  %.75.i = tail call i64 @PyType_GenericAlloc(i64 %.74.i, i64 0), !noalias !0
  %.80.i = icmp eq i64 %.75.i, 0
  br i1 %.80.i, label %B422.i, label %B456.i

B422.i:                                           ; preds = %B356.i
  %.83.i = tail call ptr @Py_DecRef(i64 %counter.0.i), !noalias !0
  br label %fresh_tensor.exit

B456.i:                                           ; preds = %B356.i
  %.87.i = getelementptr i8, ptr %.15.i, i64 56
  %.88.i = load i64, ptr %.87.i, align 8, !noalias !0
  %.1701.not.i = icmp slt i64 %.88.i, 1
  br i1 %.1701.not.i, label %B664.i, label %B510.i

B510.i:                                           ; preds = %B456.i, %B510.i
  %.112.02.i = phi i64 [ %.183.i, %B510.i ], [ 0, %B456.i ]
  %1 = shl i64 %.112.02.i, 4
  %.183.i = add nuw nsw i64 %.112.02.i, 1
  %2 = getelementptr i8, ptr %.15.i, i64 %1
  %.210.i = getelementptr i8, ptr %2, i64 72
  %.211.i = load i64, ptr %.210.i, align 8, !noalias !0
  %.212.i = tail call ptr @Py_IncRef(i64 %.211.i), !noalias !0
  %.216.i = getelementptr i8, ptr %2, i64 64
  %.217.i = load i64, ptr %.216.i, align 8, !noalias !0
  %.219.i = add nsw i64 %.217.i, %.75.i
  %.220.i = inttoptr i64 %.219.i to ptr
  store i64 %.211.i, ptr %.220.i, align 8, !noalias !0
  %exitcond.not.i = icmp eq i64 %.88.i, %.183.i
  br i1 %exitcond.not.i, label %B664.i, label %B510.i

B664.i:                                           ; preds = %B510.i, %B456.i
  %.226.i = load i64, ptr %.2, align 8, !noalias !0
  %.227.i = tail call ptr @Py_IncRef(i64 %.226.i), !noalias !0
  %.228.i = tail call ptr @Py_IncRef(i64 %.226.i), !noalias !0
  %.230.i = getelementptr i8, ptr %.15.i, i64 32
  %.231.i = load i64, ptr %.230.i, align 8, !noalias !0
  %.233.i = add nsw i64 %.231.i, %.75.i
  %.234.i = inttoptr i64 %.233.i to ptr
  store i64 %.226.i, ptr %.234.i, align 8, !noalias !0
  %.238.i = getelementptr i8, ptr %.15.i, i64 40
  %.239.i = load i64, ptr %.238.i, align 8, !noalias !0
  %.241.i = add nsw i64 %.239.i, %.75.i
  %.242.i = inttoptr i64 %.241.i to ptr
  store i64 %.226.i, ptr %.242.i, align 8, !noalias !0
  %.246.i = getelementptr i8, ptr %.15.i, i64 48
  %.247.i = load i64, ptr %.246.i, align 8, !noalias !0
  %.249.i = add nsw i64 %.247.i, %.75.i
  %.250.i = inttoptr i64 %.249.i to ptr
  store i64 %counter.0.i, ptr %.250.i, align 8, !noalias !0
  br label %fresh_tensor.exit

fresh_tensor.exit: ; preds = %B112.i, %B256.i, %B422.i, %B664.i
  %.75.sink.i = phi i64 [ %.75.i, %B664.i ], [ 0, %B422.i ], [ 0, %B112.i ], [ 0, %B256.i ]
  ret i64 %.75.sink.i
}

!0 = !{!1}
!1 = distinct !{!1, !2, !"fresh_tensor: %retptr"}
!2 = distinct !{!2, !"fresh_tensor"}
