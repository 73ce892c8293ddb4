; digest 3363425f7e457acf5270db19ea50782b
; The program guardlift_agree of guardlift's native runtime, made by `make programs` from its source.
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
; ModuleID = 'guardlift_agree'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


declare i32 @PyGILState_Ensure() local_unnamed_addr

declare i64 @PyLong_FromLongLong(i64) local_unnamed_addr

declare i64 @PyErr_Occurred() local_unnamed_addr

declare ptr @Py_IncRef(i64) local_unnamed_addr

declare i64 @PyObject_CallOneArg(i64, i64) local_unnamed_addr

declare void @Py_DecRef(i64) local_unnamed_addr

declare void @PyGILState_Release(i32) local_unnamed_addr

declare i32 @PyObject_IsTrue(i64) local_unnamed_addr

declare i32 @PyErr_CheckSignals() local_unnamed_addr

define i64 @guardlift_agree(i64 %.1, ptr readnone captures(none) %.2, i64 %.3) local_unnamed_addr {
entry:
  %.7.i = add nsw i64 %.1, 16
  %.8.i = inttoptr i64 %.7.i to ptr
  %.10.i = load i64, ptr %.8.i, align 8, !noalias !0
  %.11.i = inttoptr i64 %.10.i to ptr
  %.17.i = load i64, ptr %.11.i, align 8, !noalias !0
  %.993.not.i = icmp slt i64 %.17.i, 1
  br i1 %.993.not.i, label %common.ret.sink.split.i, label %B132.lr.ph.i

B132.lr.ph.i:                                     ; preds = %entry
  %.156.i = getelementptr i8, ptr %.11.i, i64 8
  br label %B132.i

B132.i:                                           ; preds = %B388.i, %B132.lr.ph.i
  %.1127.i = phi i64 [ 1, %B132.lr.ph.i ], [ %.112.i, %B388.i ]
  %.41.05.i = phi i64 [ 0, %B132.lr.ph.i ], [ %.1127.i, %B388.i ]
  %.idx.i = shl i64 %.41.05.i, 4
  %0 = getelementptr i8, ptr %.11.i, i64 %.idx.i
  %.142.i = getelementptr i8, ptr %0, i64 32
  %.143.i = load i64, ptr %.142.i, align 8, !noalias !0
  %.144.i = inttoptr i64 %.143.i to ptr
  %.146.i = load i64, ptr %.144.i, align 8, !noalias !0
  %.151.i = getelementptr i8, ptr %0, i64 40
  %.152.i = load i64, ptr %.151.i, align 8, !noalias !0
  %.153.not.i = icmp eq i64 %.146.i, %.152.i
  br i1 %.153.not.i, label %B388.i, label %B232.i

B232.i:                                           ; preds = %B132.i
  %.157.i = load i64, ptr %.156.i, align 8, !noalias !0
  %.161.i = tail call i32 @PyGILState_Ensure(), !noalias !0
  %.162.i = tail call i64 @PyLong_FromLongLong(i64 %.41.05.i), !noalias !0
  %.163.not.i = icmp eq i64 %.162.i, 0
  br i1 %.163.not.i, label %B284.sink.split.i, label %B232.if.i

B284.sink.split.i:                                ; preds = %B232.if.i, %B232.i
  tail call void @PyGILState_Release(i32 %.161.i), !noalias !0
  br label %B284.i

B284.i:                                           ; preds = %B232.if.if.i, %B284.sink.split.i
  %.182.i = tail call i64 @PyErr_Occurred(), !noalias !0
  %.183.not.i = icmp eq i64 %.182.i, 0
  br i1 %.183.not.i, label %common.ret.sink.split.i, label %agree.exit

common.ret.sink.split.i:                          ; preds = %B388.i, %B284.i, %entry
  %.sink.i = phi i64 [ 16, %B284.i ], [ 24, %entry ], [ 24, %B388.i ]
  %.198.i = getelementptr i8, ptr %.11.i, i64 %.sink.i
  %.199.i = load i64, ptr %.198.i, align 8, !noalias !0
  %.200.i = tail call ptr @Py_IncRef(i64 %.199.i), !noalias !0
  %.203.i = load i64, ptr %.198.i, align 8, !noalias !0
  br label %agree.exit

B388.i:                                           ; preds = %B232.if.if.i, %B132.i
  %.112.i = add nuw i64 %.1127.i, 1
  %exitcond.not.i = icmp eq i64 %.1127.i, %.17.i
  br i1 %exitcond.not.i, label %common.ret.sink.split.i, label %B132.i

B232.if.i:                                        ; preds = %B232.i
  %.165.i = tail call i64 @PyObject_CallOneArg(i64 %.157.i, i64 %.162.i), !noalias !0
  tail call void @Py_DecRef(i64 %.162.i), !noalias !0
  %.167.not.i = icmp eq i64 %.165.i, 0
  br i1 %.167.not.i, label %B284.sink.split.i, label %B232.if.if.i

B232.if.if.i:                                     ; preds = %B232.if.i
  %.169.i = tail call i32 @PyObject_IsTrue(i64 %.165.i), !noalias !0
  tail call void @Py_DecRef(i64 %.165.i), !noalias !0
  %.171.i = tail call i32 @PyErr_CheckSignals(), !noalias !0
  %.172.i = icmp eq i32 %.171.i, 0
  %1 = icmp eq i32 %.169.i, 1
  %2 = select i1 %.172.i, i1 %1, i1 false
  tail call void @PyGILState_Release(i32 %.161.i), !noalias !0
  br i1 %2, label %B388.i, label %B284.i

agree.exit: ; preds = %B284.i, %common.ret.sink.split.i
  %.203.sink.i = phi i64 [ 0, %B284.i ], [ %.203.i, %common.ret.sink.split.i ]
  ret i64 %.203.sink.i
}

!0 = !{!1}
!1 = distinct !{!1, !2, !"agree: %retptr"}
!2 = distinct !{!2, !"agree"}
