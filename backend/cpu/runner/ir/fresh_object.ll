; digest 895a7781e850959721c2ac94ccdfd940
; The program guardlift_fresh_object of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py 593aaea976605c17dc2850b2025a2ad9
; source backend/cpu/compiler/numba_functions.py cb9b1c36af3007b22ef3a2021110394a
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/plan/fresh_object_table.py ee6d3de0ccc9aa4c9ee3d56a50cb3371
; source backend/cpu/plan/table_layout.py b1d5a4207644d2272747b2908b5c9ccf
; source backend/cpu/runner/checks.py ec2503d1e3e3f9f4e54d967e0f62ca33
; source backend/cpu/runner/fresh_objects.py 1c70b79d47f9a679616e768a43154d14
; source backend/llvm/native_functions.py 8470d6db57a161a1db5405622a6894a3
; ModuleID = 'guardlift_fresh_object'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


declare ptr @PyErr_SetNone(i64) local_unnamed_addr

declare i64 @PyObject_CallNoArgs(i64) local_unnamed_addr

declare ptr @Py_IncRef(i64) local_unnamed_addr

declare i64 @PyType_GenericAlloc(i64, i64) local_unnamed_addr

declare ptr @Py_DecRef(i64) local_unnamed_addr

define i64 @guardlift_fresh_object(i64 %.1, ptr readonly captures(none) %.2, i64 %.3) local_unnamed_addr {
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
  br label %fresh_object.exit

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
  br i1 %.64.i, label %fresh_object.exit, label %B356.i

B326.i:                                           ; preds = %B168.i
  %.70.i = tail call ptr @Py_IncRef(i64 %storemerge.i), !noalias !0
  br label %B356.i

B356.i:                                           ; preds = %B326.i, %B256.i
  %shared.0.i = phi i64 [ %.60.i, %B256.i ], [ %storemerge.i, %B326.i ]
  %.74.i = load i64, ptr %.15.i, align 8, !noalias !0
  %.75.i = tail call i64 @PyType_GenericAlloc(i64 %.74.i, i64 0), !noalias !0
  %.80.i = icmp eq i64 %.75.i, 0
  br i1 %.80.i, label %B422.i, label %B456.i

B422.i:                                           ; preds = %B356.i
  %.83.i = tail call ptr @Py_DecRef(i64 %shared.0.i), !noalias !0
  br label %fresh_object.exit

B456.i:                                           ; preds = %B356.i
  %.87.i = getelementptr i8, ptr %.15.i, i64 32
  %.88.i = load i64, ptr %.87.i, align 8, !noalias !0
  %.90.i = add nsw i64 %.88.i, %.75.i
  %.91.i = inttoptr i64 %.90.i to ptr
  store i64 %shared.0.i, ptr %.91.i, align 8, !noalias !0
  %.96.i = getelementptr i8, ptr %.15.i, i64 40
  %.97.i = load i64, ptr %.96.i, align 8, !noalias !0
  %.1833.not.i = icmp slt i64 %.97.i, 1
  br i1 %.1833.not.i, label %B732.i, label %B578.i

B578.i:                                           ; preds = %B456.i, %B578.i
  %.125.04.i = phi i64 [ %.196.i, %B578.i ], [ 0, %B456.i ]
  %1 = shl i64 %.125.04.i, 4
  %.196.i = add nuw nsw i64 %.125.04.i, 1
  %2 = getelementptr i8, ptr %.15.i, i64 %1
  %.227.i = getelementptr i8, ptr %2, i64 64
  %.228.i = load i64, ptr %.227.i, align 8, !noalias !0
  %.229.i = tail call ptr @Py_IncRef(i64 %.228.i), !noalias !0
  %.234.i = getelementptr i8, ptr %2, i64 56
  %.235.i = load i64, ptr %.234.i, align 8, !noalias !0
  %.237.i = add nsw i64 %.235.i, %.75.i
  %.238.i = inttoptr i64 %.237.i to ptr
  store i64 %.228.i, ptr %.238.i, align 8, !noalias !0
  %exitcond.not.i = icmp eq i64 %.97.i, %.196.i
  br i1 %exitcond.not.i, label %B732.i, label %B578.i

B732.i:                                           ; preds = %B578.i, %B456.i
  %.243.i = getelementptr i8, ptr %.15.i, i64 48
  %.244.i = load i64, ptr %.243.i, align 8, !noalias !0
  %.3246.not.i = icmp slt i64 %.244.i, 1
  br i1 %.3246.not.i, label %fresh_object.exit, label %B786.lr.ph.i

B786.lr.ph.i:                                     ; preds = %B732.i
  %.idx.i = shl i64 %.97.i, 4
  %3 = getelementptr i8, ptr %.15.i, i64 %.idx.i
  %4 = getelementptr i8, ptr %3, i64 56
  %.364.pre.i = load i64, ptr %.2, align 8, !noalias !0
  br label %B786.i

B786.i:                                           ; preds = %B786.i, %B786.lr.ph.i
  %.364.i = phi i64 [ %.364.pre.i, %B786.lr.ph.i ], [ %.368.i, %B786.i ]
  %.268.07.i = phi i64 [ 0, %B786.lr.ph.i ], [ %.337.i, %B786.i ]
  %.337.i = add nuw nsw i64 %.268.07.i, 1
  %.365.i = tail call ptr @Py_IncRef(i64 %.364.i), !noalias !0
  %.368.i = load i64, ptr %.2, align 8, !noalias !0
  %.375.i = getelementptr i64, ptr %4, i64 %.268.07.i
  %.376.i = load i64, ptr %.375.i, align 8, !noalias !0
  %.378.i = add nsw i64 %.376.i, %.75.i
  %.379.i = inttoptr i64 %.378.i to ptr
  store i64 %.368.i, ptr %.379.i, align 8, !noalias !0
  %exitcond9.not.i = icmp eq i64 %.337.i, %.244.i
  br i1 %exitcond9.not.i, label %fresh_object.exit, label %B786.i

fresh_object.exit: ; preds = %B786.i, %B112.i, %B256.i, %B422.i, %B732.i
  %.75.sink.i = phi i64 [ 0, %B256.i ], [ 0, %B422.i ], [ 0, %B112.i ], [ %.75.i, %B732.i ], [ %.75.i, %B786.i ]
  ret i64 %.75.sink.i
}

!0 = !{!1}
!1 = distinct !{!1, !2, !"fresh_object: %retptr"}
!2 = distinct !{!2, !"fresh_object"}
