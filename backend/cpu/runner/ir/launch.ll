; digest 1b6e30ce1f5dbea405a3a4c35ad08ed5
; The program guardlift_launch of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py e17a5b694241d735aa9fff1357521527
; source backend/cpu/compiler/numba_functions.py da39e9336568b2b78f81c3820809f6f1
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/compiler/python_calls.py c8522409e7c76fe342a4eb4d77d2d672
; source backend/cpu/plan/table_layout.py 943c4de70cf14352deb6b5ffab52dbc6
; source backend/cpu/runner/checks.py 05bb8b8c6bad8d04059787a9b6269b67
; source backend/cpu/runner/runner.py 780438e931f8da922664a44faea78956
; source backend/cpu/runner/steps.py 91e77feaa93047868ff16ea0e5d313ad
; source backend/cpu/runner/team.py 7ee3ab2b4b3345b575c14cb678107efa
; source backend/cpu/runner/watched_slots.py 685ecba62f096f9917eaf69f5be6723e
; source backend/llvm/native_functions.py 5b0fcbc114a9f375dd221d42453f26d0
; ModuleID = 'guardlift_launch'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


declare i64 @PyErr_NoMemory() local_unnamed_addr

define i64 @guardlift_launch(i64 %.1, ptr readonly captures(none) %.2, i64 %.3) local_unnamed_addr {
entry:
  %.9.i56.i.i.i.i = alloca [104 x i8], align 64
  %.80.i.i.i.i.i = alloca i64, align 8
  %.8.i.i.i.i.i = alloca [104 x i8], align 64
  %.55.i.i.i.i.i = alloca i64, align 8
  %.148.i.i.i.i.i.i = alloca i8, align 1
  %.186.i.i.i = alloca i8, align 1
  %.217.i.i.i = alloca i8, align 1
  %.419.i.i.i = alloca i8, align 1
  %.58.i = alloca [64 x i8], align 64
  %.151.i = alloca [5120 x i8], align 64
  call void @llvm.lifetime.start.p0(ptr nonnull %.58.i)
  call void @llvm.lifetime.start.p0(ptr nonnull %.151.i)
  %.9.i = add nsw i64 %.1, 16
  %.10.i = inttoptr i64 %.9.i to ptr
  %.12.i = load i64, ptr %.10.i, align 8, !noalias !0
  %.17.i = inttoptr i64 %.12.i to ptr
  %.23.i = load i64, ptr %.17.i, align 8, !noalias !0
  %.24.not.i = icmp eq i64 %.3, %.23.i
  br i1 %.24.not.i, label %B178.i, label %B126.i

B126.i:                                           ; preds = %entry
  %.28.i = getelementptr i8, ptr %.17.i, i64 24
  %.29.i = load i64, ptr %.28.i, align 8, !noalias !0
  %.5.i.i = tail call ptr @Py_IncRef(i64 %.29.i), !noalias !3
  br label %launch.exit

B178.i:                                           ; preds = %entry
  %.59.i = ptrtoint ptr %.58.i to i64
  %.64.i = getelementptr i8, ptr %.17.i, i64 8
  %.65.i = load i64, ptr %.64.i, align 8, !noalias !0
  %.66.not.i = icmp eq i64 %.65.i, 0
  br i1 %.66.not.i, label %B412.i, label %B240.i

B240.i:                                           ; preds = %B178.i
  store i64 0, ptr %.58.i, align 64, !noalias !6
  %.12.i.i = getelementptr i8, ptr %.17.i, i64 16
  %.13.i.i = load i64, ptr %.12.i.i, align 8, !noalias !6
  %.15.i.i = call i32 @PyContextVar_Get(i64 %.13.i.i, i64 0, i64 %.59.i), !noalias !6
  %.17.not.i.i = icmp eq i32 %.15.i.i, 0
  br i1 %.17.not.i.i, label %B108.i.i, label %launch.exit

B108.i.i:                                         ; preds = %B240.i
  %.28.i.i = load i64, ptr %.58.i, align 64, !noalias !6
  %.33.not.i.i = icmp eq i64 %.28.i.i, 0
  br i1 %.33.not.i.i, label %B288.i, label %B162.i.i

B162.i.i:                                         ; preds = %B108.i.i
  %.36.i.i = call ptr @Py_DecRef(i64 %.28.i.i), !noalias !6
  br label %B288.i

B288.i:                                           ; preds = %B162.i.i, %B108.i.i
  %.sink.i.ph.i = phi i64 [ 1, %B108.i.i ], [ %.28.i.i, %B162.i.i ]
  %.105.i = load i64, ptr %.64.i, align 8, !noalias !0
  %.106.i = inttoptr i64 %.105.i to ptr
  %.108.i = load i64, ptr %.106.i, align 8, !noalias !0
  %.110.not.i = icmp eq i64 %.sink.i.ph.i, %.108.i
  br i1 %.110.not.i, label %B412.i, label %B360.i

B360.i:                                           ; preds = %B288.i
  %.114.i = getelementptr i8, ptr %.17.i, i64 24
  %.115.i = load i64, ptr %.114.i, align 8, !noalias !0
  %.5.i8.i = call ptr @Py_IncRef(i64 %.115.i), !noalias !9
  br label %launch.exit

B412.i:                                           ; preds = %B288.i, %B178.i
  %.143.i = getelementptr i8, ptr %.17.i, i64 56
  %.144.i = load i64, ptr %.143.i, align 8, !noalias !0
  %.145.i = icmp slt i64 %.144.i, 5121
  br i1 %.145.i, label %B516.thread.i, label %B488.i

B516.thread.i:                                    ; preds = %B412.i
  %.152.i = ptrtoint ptr %.151.i to i64
  br label %B558.i

B488.i:                                           ; preds = %B412.i
  %.8.i.i = getelementptr i8, ptr %.17.i, i64 264
  %.9.i.i = load i64, ptr %.8.i.i, align 8, !noalias !12
  %.13.i9.i = inttoptr i64 %.9.i.i to ptr
  %.15.i10.i = load i64, ptr %.13.i9.i, align 8, !noalias !12
  %.19.not.i.i = icmp eq i64 %.15.i10.i, 0
  br i1 %.19.not.i.i, label %B606.i.i, label %B84.preheader.i.i

B84.preheader.i.i:                                ; preds = %B488.i
  %.253.i.i = add nsw i64 %.15.i10.i, -16
  %.264.i.i = inttoptr i64 %.253.i.i to ptr
  %.285.i.i = load i64, ptr %.264.i.i, align 8, !noalias !12
  %.32.not6.i.i = icmp slt i64 %.285.i.i, %.144.i
  br i1 %.32.not6.i.i, label %B250.i.i, label %take_frame.exit.thread6.i

B84.i.i:                                          ; preds = %B250.i.i
  %.25.i.i = add nsw i64 %.58.i.i, -16
  %.26.i.i = inttoptr i64 %.25.i.i to ptr
  %.28.i12.i = load i64, ptr %.26.i.i, align 8, !noalias !12
  %.32.not.i.i = icmp slt i64 %.28.i12.i, %.144.i
  br i1 %.32.not.i.i, label %B250.i.i, label %take_frame.exit.thread6.i

take_frame.exit.thread6.i: ; preds = %B84.i.i, %B84.preheader.i.i
  %.41.pre-phi.i.i = phi ptr [ %.13.i9.i, %B84.preheader.i.i ], [ %.56.i.i, %B84.i.i ]
  %frame_address.5.0.lcssa.i.i = phi i64 [ %.15.i10.i, %B84.preheader.i.i ], [ %.58.i.i, %B84.i.i ]
  %.37.i.i = inttoptr i64 %frame_address.5.0.lcssa.i.i to ptr
  %.39.i.i = load i64, ptr %.37.i.i, align 8, !noalias !12
  store i64 %.39.i.i, ptr %.41.pre-phi.i.i, align 8, !noalias !12
  br label %B558.i

B250.i.i:                                         ; preds = %B84.preheader.i.i, %B84.i.i
  %frame_address.5.07.i.i = phi i64 [ %.58.i.i, %B84.i.i ], [ %.15.i10.i, %B84.preheader.i.i ]
  %.56.i.i = inttoptr i64 %frame_address.5.07.i.i to ptr
  %.58.i.i = load i64, ptr %.56.i.i, align 8, !noalias !12
  %.61.not.i.i = icmp eq i64 %.58.i.i, 0
  br i1 %.61.not.i.i, label %B330.i.i, label %B84.i.i

B330.i.i:                                         ; preds = %B250.i.i
  store i64 0, ptr %.13.i9.i, align 8, !noalias !12
  br label %B464.i.i

B464.i.i:                                         ; preds = %B464.i.i, %B330.i.i
  %frame_address.6.0.i.i = phi i64 [ %.15.i10.i, %B330.i.i ], [ %.97.i.i, %B464.i.i ]
  %.90.i.i = add nsw i64 %frame_address.6.0.i.i, -8
  %.91.i.i = inttoptr i64 %.90.i.i to ptr
  %.93.i.i = load i64, ptr %.91.i.i, align 8, !noalias !12
  %.95.i.i = inttoptr i64 %frame_address.6.0.i.i to ptr
  %.97.i.i = load i64, ptr %.95.i.i, align 8, !noalias !12
  %.100.i.i = call ptr @PyMem_RawFree(i64 %.93.i.i), !noalias !12
  %.101.not.i.i = icmp eq i64 %.97.i.i, 0
  br i1 %.101.not.i.i, label %B606.i.loopexit.i, label %B464.i.i

B606.i.loopexit.i:                                ; preds = %B464.i.i
  %.107.i.pre.i = load i64, ptr %.143.i, align 8, !noalias !12
  br label %B606.i.i

B606.i.i:                                         ; preds = %B606.i.loopexit.i, %B488.i
  %.107.i.i = phi i64 [ %.107.i.pre.i, %B606.i.loopexit.i ], [ %.144.i, %B488.i ]
  %.109.i.i = add nsw i64 %.107.i.i, 80
  %.110.i.i = call i64 @PyMem_RawMalloc(i64 %.109.i.i), !noalias !12
  %.115.i.i = icmp eq i64 %.110.i.i, 0
  br i1 %.115.i.i, label %B530.i, label %take_frame.exit.i

take_frame.exit.i: ; preds = %B606.i.i
  %.126.i.i = add nsw i64 %.110.i.i, 79
  %.128.i.i = and i64 %.126.i.i, -64
  %.129.i.i = add nsw i64 %.128.i.i, -8
  %.130.i.i = inttoptr i64 %.129.i.i to ptr
  store i64 %.110.i.i, ptr %.130.i.i, align 8, !noalias !12
  %.138.i.i = load i64, ptr %.143.i, align 8, !noalias !12
  %.141.i.i = add nsw i64 %.128.i.i, -16
  %.142.i.i = inttoptr i64 %.141.i.i to ptr
  store i64 %.138.i.i, ptr %.142.i.i, align 16, !noalias !12
  %.191.i = icmp eq i64 %.128.i.i, 0
  br i1 %.191.i, label %B530.i, label %B558.i

B530.i:                                           ; preds = %take_frame.exit.i, %B606.i.i
  %.193.i = call i64 @PyErr_NoMemory(), !noalias !0
  br label %launch.exit

B558.i:                                           ; preds = %take_frame.exit.i, %take_frame.exit.thread6.i, %B516.thread.i
  %frame_address.0.i = phi i64 [ %.152.i, %B516.thread.i ], [ %.128.i.i, %take_frame.exit.i ], [ %frame_address.5.0.lcssa.i.i, %take_frame.exit.thread6.i ]
  %.22.i.i = inttoptr i64 %frame_address.0.i to ptr
  store i64 0, ptr %.22.i.i, align 8, !noalias !15
  %.31.i13.i = getelementptr i8, ptr %.22.i.i, i64 8
  store i64 %frame_address.0.i, ptr %.31.i13.i, align 8, !noalias !15
  call void @llvm.lifetime.start.p0(ptr nonnull %.217.i.i.i), !noalias !15
  call void @llvm.lifetime.start.p0(ptr nonnull %.419.i.i.i), !noalias !15
  %.30.i.i.i = load i64, ptr %.17.i, align 8, !noalias !18
  %.1132.not.i.i.i = icmp slt i64 %.30.i.i.i, 1
  br i1 %.1132.not.i.i.i, label %B194.i.i, label %B128.lr.ph.i.i.i

B128.lr.ph.i.i.i:                                 ; preds = %B558.i
  %.21.i.i.i = getelementptr i8, ptr %.17.i, i64 96
  %.22.i.i.i = load i64, ptr %.21.i.i.i, align 8, !noalias !18
  %.23.i.i.i = shl nsw i64 %.22.i.i.i, 3
  %.25.i.i.i = add nsw i64 %.23.i.i.i, %.12.i
  br label %B128.i.i.i

B128.i.i.i:                                       ; preds = %B930.i.i.i, %B128.lr.ph.i.i.i
  %.1267.i.i.i = phi i64 [ 1, %B128.lr.ph.i.i.i ], [ %.126.i.i.i, %B930.i.i.i ]
  %position.2.05.i.i.i = phi i64 [ %.25.i.i.i, %B128.lr.ph.i.i.i ], [ %.493.i.i.i, %B930.i.i.i ]
  %.54.04.i.i.i = phi i64 [ 0, %B128.lr.ph.i.i.i ], [ %.1267.i.i.i, %B930.i.i.i ]
  %.152.i.i.i = inttoptr i64 %position.2.05.i.i.i to ptr
  %.157.i.i.i = getelementptr i64, ptr %.2, i64 %.54.04.i.i.i
  %.158.i.i.i = load i64, ptr %.157.i.i.i, align 8, !noalias !18
  %.163.i.i.i = add nsw i64 %.158.i.i.i, 8
  %.164.i.i.i = inttoptr i64 %.163.i.i.i to ptr
  %.166.i.i.i = load i64, ptr %.164.i.i.i, align 8, !noalias !18
  %.168.i.i.i = getelementptr i8, ptr %.152.i.i.i, i64 16
  %.169.i.i.i = load i64, ptr %.168.i.i.i, align 8, !noalias !18
  %.170.not.i.i.i = icmp eq i64 %.166.i.i.i, %.169.i.i.i
  br i1 %.170.not.i.i.i, label %B270.i.i.i, label %B142.i.i

B270.i.i.i:                                       ; preds = %B128.i.i.i
  %.195.i.i.i = load i64, ptr %.152.i.i.i, align 8, !noalias !18
  %.200.i.i.i = getelementptr i8, ptr %.152.i.i.i, i64 24
  %.201.i.i.i = load i64, ptr %.200.i.i.i, align 8, !noalias !18
  switch i64 %.195.i.i.i, label %B886.i.i.i [
    i64 0, label %B344.i.i.i
    i64 5, label %B412.i.i.i
    i64 1, label %B476.i.i.i
    i64 2, label %B564.i.i.i
    i64 3, label %B682.i.i.i
    i64 6, label %B754.i.i.i
  ]

B344.i.i.i:                                       ; preds = %B270.i.i.i
  store i8 0, ptr %.217.i.i.i, align 1, !noalias !18
  call fastcc void @array_bound(ptr nonnull %.217.i.i.i, i64 %.12.i, i64 %.158.i.i.i, ptr nonnull %.152.i.i.i, ptr nonnull %.22.i.i)
  %.231.i.i.i = load i8, ptr %.217.i.i.i, align 1, !noalias !18
  %.234.not.i.i.i = icmp eq i8 %.231.i.i.i, 0
  br i1 %.234.not.i.i.i, label %B142.i.i, label %B930.i.i.i

B412.i.i.i:                                       ; preds = %B270.i.i.i
  %.281.i.i.i = getelementptr i8, ptr %.152.i.i.i, i64 32
  %.282.i.i.i = load i64, ptr %.281.i.i.i, align 8, !noalias !18
  %.284.not.i.i.i = icmp eq i64 %.158.i.i.i, %.282.i.i.i
  br i1 %.284.not.i.i.i, label %B930.i.i.i, label %B142.i.i

B476.i.i.i:                                       ; preds = %B270.i.i.i
  %.314.i.i.i = add nsw i64 %.158.i.i.i, 16
  %.317.i.i.i = inttoptr i64 %.314.i.i.i to ptr
  %.319.i.i.i = load i64, ptr %.317.i.i.i, align 8, !noalias !18
  %.322.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.201.i.i.i
  store i64 %.319.i.i.i, ptr %.322.i.i.i, align 8, !noalias !18
  br label %B930.i.i.i

B564.i.i.i:                                       ; preds = %B270.i.i.i
  %.334.i.i.i = call i64 @PyLong_AsLongLongAndOverflow(i64 %.158.i.i.i, i64 %.59.i), !noalias !18
  %.339.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.201.i.i.i
  store i64 %.334.i.i.i, ptr %.339.i.i.i, align 8, !noalias !18
  %.346.i.i.i = load i32, ptr %.58.i, align 64, !noalias !18
  %.348.not.i.i.i = icmp eq i32 %.346.i.i.i, 0
  br i1 %.348.not.i.i.i, label %B930.i.i.i, label %B142.i.i

B682.i.i.i:                                       ; preds = %B270.i.i.i
  %.376.i.i.i = getelementptr i8, ptr %.152.i.i.i, i64 32
  %.377.i.i.i = load i64, ptr %.376.i.i.i, align 8, !noalias !18
  %.379.i.i.i = icmp eq i64 %.158.i.i.i, %.377.i.i.i
  %spec.select.i.i.i = zext i1 %.379.i.i.i to i64
  %.393.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.201.i.i.i
  store i64 %spec.select.i.i.i, ptr %.393.i.i.i, align 8, !noalias !18
  br label %B930.i.i.i

B754.i.i.i:                                       ; preds = %B270.i.i.i
  %.409.i.i.i = add nsw i64 %position.2.05.i.i.i, 32
  %.411.i.i.i = inttoptr i64 %.409.i.i.i to ptr
  %.413.i.i.i = load i64, ptr %.411.i.i.i, align 8, !noalias !18
  %.414.i.i.i = shl nsw i64 %.413.i.i.i, 3
  %.415.i.i.i = add nsw i64 %.414.i.i.i, %.409.i.i.i
  store i8 0, ptr %.419.i.i.i, align 1, !noalias !18
  call fastcc void @followed_bound(ptr nonnull %.419.i.i.i, i64 %.12.i, i64 %.158.i.i.i, i64 %.409.i.i.i, i64 %.415.i.i.i, ptr nonnull %.22.i.i)
  %.433.i.i.i = load i8, ptr %.419.i.i.i, align 1, !noalias !18
  %.436.not.i.i.i = icmp eq i8 %.433.i.i.i, 0
  br i1 %.436.not.i.i.i, label %B142.i.i, label %B930.i.i.i

B886.i.i.i:                                       ; preds = %B270.i.i.i
  %.476.i.i.i = shl nsw i64 %.201.i.i.i, 3
  %.480.i.i.i = add nsw i64 %.476.i.i.i, %frame_address.0.i
  %.482.i.i.i = call ptr @guardlift_scalar_read(i64 %.158.i.i.i, i64 %.480.i.i.i), !noalias !18
  br label %B930.i.i.i

B930.i.i.i:                                       ; preds = %B886.i.i.i, %B754.i.i.i, %B682.i.i.i, %B564.i.i.i, %B476.i.i.i, %B412.i.i.i, %B344.i.i.i
  %.487.i.i.i = getelementptr i8, ptr %.152.i.i.i, i64 8
  %.488.i.i.i = load i64, ptr %.487.i.i.i, align 8, !noalias !18
  %.491.i.i.i = shl nsw i64 %.488.i.i.i, 3
  %.493.i.i.i = add nsw i64 %.491.i.i.i, %position.2.05.i.i.i
  %.126.i.i.i = add nuw i64 %.1267.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i64 %.1267.i.i.i, %.30.i.i.i
  br i1 %exitcond.not.i.i.i, label %B194.i.i, label %B128.i.i.i

B142.i.i:                                         ; preds = %B754.i.i.i, %B564.i.i.i, %B412.i.i.i, %B344.i.i.i, %B128.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.217.i.i.i), !noalias !15
  call void @llvm.lifetime.end.p0(ptr nonnull %.419.i.i.i), !noalias !15
  br label %common.ret.sink.split.i.i

B194.i.i:                                         ; preds = %B930.i.i.i, %B558.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.217.i.i.i), !noalias !15
  call void @llvm.lifetime.end.p0(ptr nonnull %.419.i.i.i), !noalias !15
  call void @llvm.lifetime.start.p0(ptr nonnull %.186.i.i.i), !noalias !15
  %.16.i.i.i = getelementptr i8, ptr %.17.i, i64 184
  %.17.i.i.i = load i64, ptr %.16.i.i.i, align 8, !noalias !21
  %.18.i.i.i = shl nsw i64 %.17.i.i.i, 3
  %.20.i149.i.i = add nsw i64 %.18.i.i.i, %.12.i
  %.25.i150.i.i = getelementptr i8, ptr %.17.i, i64 192
  %.26.i.i.i = load i64, ptr %.25.i150.i.i, align 8, !noalias !21
  %.1088.not.i.i.i = icmp slt i64 %.26.i.i.i, 1
  br i1 %.1088.not.i.i.i, label %B332.i.i.i, label %B126.i.i.i

B126.i.i.i:                                       ; preds = %B194.i.i, %B266.i.i.i
  %.11711.in.i.i.i = phi i64 [ %.11711.i.i.i, %B266.i.i.i ], [ %.26.i.i.i, %B194.i.i ]
  %position.3.010.i.i.i = phi i64 [ %.241.i.i.i, %B266.i.i.i ], [ %.20.i149.i.i, %B194.i.i ]
  %.147.i.i.i = inttoptr i64 %position.3.010.i.i.i to ptr
  %.149.i.i.i = load i64, ptr %.147.i.i.i, align 8, !noalias !21
  %.150.i.i.i = shl nsw i64 %.149.i.i.i, 3
  %.152.i151.i.i = add nsw i64 %.150.i.i.i, %position.3.010.i.i.i
  %0 = getelementptr i8, ptr %.147.i.i.i, i64 8
  %.147.val.i.i.i = load i64, ptr %0, align 8, !noalias !21
  %.7.i.i.i.i = add nsw i64 %.147.val.i.i.i, 16
  %.8.i.i.i.i = inttoptr i64 %.7.i.i.i.i to ptr
  %.10.i.i.i.i = load i64, ptr %.8.i.i.i.i, align 8, !noalias !24
  store i8 0, ptr %.186.i.i.i, align 1, !noalias !21
  call fastcc void @followed_bound(ptr nonnull %.186.i.i.i, i64 %.12.i, i64 %.10.i.i.i.i, i64 %position.3.010.i.i.i, i64 %.152.i151.i.i, ptr nonnull %.22.i.i)
  %.200.i152.i.i = load i8, ptr %.186.i.i.i, align 1, !noalias !21
  %.203.not.i.i.i = icmp eq i8 %.200.i152.i.i, 0
  br i1 %.203.not.i.i.i, label %B226.i.i, label %B266.i.i.i

B266.i.i.i:                                       ; preds = %B126.i.i.i
  %.11711.i.i.i = add nsw i64 %.11711.in.i.i.i, -1
  %.236.i.i.i = inttoptr i64 %.152.i151.i.i to ptr
  %.237.i.i.i = getelementptr i8, ptr %.236.i.i.i, i64 8
  %.238.i.i.i = load i64, ptr %.237.i.i.i, align 8, !noalias !21
  %1 = add i64 %.238.i.i.i, %.149.i.i.i
  %2 = shl i64 %1, 3
  %.241.i.i.i = add i64 %2, %position.3.010.i.i.i
  %.108.i.i.i = icmp sgt i64 %.11711.in.i.i.i, 1
  br i1 %.108.i.i.i, label %B126.i.i.i, label %B332.i.i.i

B332.i.i.i:                                       ; preds = %B266.i.i.i, %B194.i.i
  %position.3.0.lcssa.i.i.i = phi i64 [ %.20.i149.i.i, %B194.i.i ], [ %.241.i.i.i, %B266.i.i.i ]
  %.262.i.i.i = getelementptr i8, ptr %.17.i, i64 200
  %.263.i.i.i = load i64, ptr %.262.i.i.i, align 8, !noalias !21
  %.34512.i.i.i = icmp sgt i64 %.263.i.i.i, 0
  br i1 %.34512.i.i.i, label %B386.preheader.i.i.i, label %B278.i.i

B386.preheader.i.i.i:                             ; preds = %B332.i.i.i
  %.292.214.i.i.i = add nsw i64 %.263.i.i.i, -1
  br label %B386.i.i.i

B386.i.i.i:                                       ; preds = %B490.i.i.i, %B386.preheader.i.i.i
  %.292.216.i.i.i = phi i64 [ %.292.2.i.i.i, %B490.i.i.i ], [ %.292.214.i.i.i, %B386.preheader.i.i.i ]
  %position.4.015.i.i.i = phi i64 [ %.458.i.i.i, %B490.i.i.i ], [ %position.3.0.lcssa.i.i.i, %B386.preheader.i.i.i ]
  %.384.i.i.i = inttoptr i64 %position.4.015.i.i.i to ptr
  %3 = getelementptr i8, ptr %.384.i.i.i, i64 8
  %.384.val.i.i.i = load i64, ptr %3, align 8, !noalias !21
  %.7.i148.i.i.i = add nsw i64 %.384.val.i.i.i, 16
  %.8.i149.i.i.i = inttoptr i64 %.7.i148.i.i.i to ptr
  %.10.i150.i.i.i = load i64, ptr %.8.i149.i.i.i, align 8, !noalias !27
  %.15.i.i.i.i = getelementptr i8, ptr %.384.i.i.i, i64 24
  %.16.i.i.i.i = load i64, ptr %.15.i.i.i.i, align 8, !noalias !30
  %.9913.i.i.i.i = icmp sgt i64 %.16.i.i.i.i, 0
  br i1 %.9913.i.i.i.i, label %B112.preheader.i.i.i.i, label %followed.exit.i.i.i

B112.preheader.i.i.i.i:                           ; preds = %B386.i.i.i
  %.43.215.i.i.i.i = add nsw i64 %.16.i.i.i.i, -1
  %.10.i151.i.i.i = add nsw i64 %position.4.015.i.i.i, 32
  br label %B112.i.i.i.i

B112.i.i.i.i:                                     ; preds = %B780.i.i.i.i, %B112.preheader.i.i.i.i
  %.43.218.i.i.i.i = phi i64 [ %.43.2.i.i.i.i, %B780.i.i.i.i ], [ %.43.215.i.i.i.i, %B112.preheader.i.i.i.i ]
  %thing.2.017.i.i.i.i = phi i64 [ %thing.3.0.i.i.i.i, %B780.i.i.i.i ], [ %.10.i150.i.i.i, %B112.preheader.i.i.i.i ]
  %position.3.016.i.i.i.i = phi i64 [ %position.4.0.lcssa.i.i.i.i, %B780.i.i.i.i ], [ %.10.i151.i.i.i, %B112.preheader.i.i.i.i ]
  %.138.i.i.i.i = inttoptr i64 %position.3.016.i.i.i.i to ptr
  %.143.i.i.i.i = add nsw i64 %thing.2.017.i.i.i.i, 8
  %.144.i.i.i.i = inttoptr i64 %.143.i.i.i.i to ptr
  %.146.i.i.i.i = load i64, ptr %.144.i.i.i.i, align 8, !noalias !30
  %.149.i.i.i.i = load i64, ptr %.138.i.i.i.i, align 8, !noalias !30
  %.150.not.i.i.i.i = icmp eq i64 %.146.i.i.i.i, %.149.i.i.i.i
  br i1 %.150.not.i.i.i.i, label %B238.i.i.i.i, label %B226.i.i

B238.i.i.i.i:                                     ; preds = %B112.i.i.i.i
  %.164.i.i.i.i = add i64 %position.3.016.i.i.i.i, 24
  %.171.i.i.i.i = getelementptr i8, ptr %.138.i.i.i.i, i64 16
  %.172.i.i.i.i = load i64, ptr %.171.i.i.i.i, align 8, !noalias !30
  %.2529.not.i.i.i.i = icmp slt i64 %.172.i.i.i.i, 1
  br i1 %.2529.not.i.i.i.i, label %B658.i.i.i.i, label %B318.preheader.i.i.i.i

B318.preheader.i.i.i.i:                           ; preds = %B238.i.i.i.i
  %4 = shl i64 %.172.i.i.i.i, 4
  %5 = add i64 %4, %.164.i.i.i.i
  br label %B318.i.i.i.i

B318.i.i.i.i:                                     ; preds = %B646.i.i.i.i, %B318.preheader.i.i.i.i
  %.26112.in.i.i.i.i = phi i64 [ %.26112.i.i.i.i, %B646.i.i.i.i ], [ %.172.i.i.i.i, %B318.preheader.i.i.i.i ]
  %position.4.011.i.i.i.i = phi i64 [ %.375.i.i.i.i, %B646.i.i.i.i ], [ %.164.i.i.i.i, %B318.preheader.i.i.i.i ]
  %.26112.i.i.i.i = add nsw i64 %.26112.in.i.i.i.i, -1
  %.291.i.i.i.i = inttoptr i64 %position.4.011.i.i.i.i to ptr
  %.297.i.i.i.i = load i64, ptr %.291.i.i.i.i, align 8, !noalias !30
  %.298.i.i.i.i = and i64 %.297.i.i.i.i, 1
  %.299.not.i.i.i.i = icmp eq i64 %.298.i.i.i.i, 0
  br i1 %.299.not.i.i.i.i, label %B558.i.i.i.i, label %B382.i.i.i.i

B382.i.i.i.i:                                     ; preds = %B318.i.i.i.i
  %.304.i.i.i.i = and i64 %.297.i.i.i.i, -2
  %.306.i.i.i.i = add nsw i64 %.304.i.i.i.i, %thing.2.017.i.i.i.i
  %.307.i.i.i.i = inttoptr i64 %.306.i.i.i.i to ptr
  %.309.i.i.i.i = load i64, ptr %.307.i.i.i.i, align 8, !noalias !30
  %.314.i.i.i.i = icmp eq i64 %.309.i.i.i.i, 0
  br i1 %.314.i.i.i.i, label %B226.i.i, label %B470.i.i.i.i

B470.i.i.i.i:                                     ; preds = %B382.i.i.i.i
  %.317.i.i.i.i = add nsw i64 %.309.i.i.i.i, 8
  %.320.i.i.i.i = inttoptr i64 %.317.i.i.i.i to ptr
  %.322.i.i.i.i = load i64, ptr %.320.i.i.i.i, align 8, !noalias !30
  %.324.i.i.i.i = getelementptr i8, ptr %.291.i.i.i.i, i64 8
  %.325.i.i.i.i = load i64, ptr %.324.i.i.i.i, align 8, !noalias !30
  %.328.i.i.i.i = icmp eq i64 %.322.i.i.i.i, %.325.i.i.i.i
  br i1 %.328.i.i.i.i, label %B226.i.i, label %B646.i.i.i.i

B558.i.i.i.i:                                     ; preds = %B318.i.i.i.i
  %.351.i.i.i.i = add nsw i64 %.297.i.i.i.i, %thing.2.017.i.i.i.i
  %.352.i.i.i.i = inttoptr i64 %.351.i.i.i.i to ptr
  %.354.i.i.i.i = load i64, ptr %.352.i.i.i.i, align 8, !noalias !30
  %.356.i.i.i.i = getelementptr i8, ptr %.291.i.i.i.i, i64 8
  %.357.i.i.i.i = load i64, ptr %.356.i.i.i.i, align 8, !noalias !30
  %.360.not.i.i.i.i = icmp eq i64 %.354.i.i.i.i, %.357.i.i.i.i
  br i1 %.360.not.i.i.i.i, label %B646.i.i.i.i, label %B226.i.i

B646.i.i.i.i:                                     ; preds = %B558.i.i.i.i, %B470.i.i.i.i
  %.375.i.i.i.i = add nsw i64 %position.4.011.i.i.i.i, 16
  %.252.i.i.i.i = icmp samesign ugt i64 %.26112.in.i.i.i.i, 1
  br i1 %.252.i.i.i.i, label %B318.i.i.i.i, label %B658.i.i.i.i

B658.i.i.i.i:                                     ; preds = %B646.i.i.i.i, %B238.i.i.i.i
  %position.4.0.lcssa.i.i.i.i = phi i64 [ %.164.i.i.i.i, %B238.i.i.i.i ], [ %5, %B646.i.i.i.i ]
  %.388.i.i.i.i = getelementptr i8, ptr %.138.i.i.i.i, i64 8
  %.389.i.i.i.i = load i64, ptr %.388.i.i.i.i, align 8, !noalias !30
  %.390.not.i.i.i.i = icmp eq i64 %.389.i.i.i.i, 0
  br i1 %.390.not.i.i.i.i, label %B780.i.i.i.i, label %B692.i.i.i.i

B692.i.i.i.i:                                     ; preds = %B658.i.i.i.i
  %.398.i.i.i.i = add nsw i64 %.389.i.i.i.i, %thing.2.017.i.i.i.i
  %.401.i.i.i.i = inttoptr i64 %.398.i.i.i.i to ptr
  %.403.i.i.i.i = load i64, ptr %.401.i.i.i.i, align 8, !noalias !30
  %.406.i.i.i.i = icmp eq i64 %.403.i.i.i.i, 0
  br i1 %.406.i.i.i.i, label %B226.i.i, label %B780.i.i.i.i

B780.i.i.i.i:                                     ; preds = %B692.i.i.i.i, %B658.i.i.i.i
  %thing.3.0.i.i.i.i = phi i64 [ %thing.2.017.i.i.i.i, %B658.i.i.i.i ], [ %.403.i.i.i.i, %B692.i.i.i.i ]
  %.99.i.i.i.i = icmp sgt i64 %.43.218.i.i.i.i, 0
  %.108.i.i.i.i = sext i1 %.99.i.i.i.i to i64
  %.43.2.i.i.i.i = add nsw i64 %.43.218.i.i.i.i, %.108.i.i.i.i
  br i1 %.99.i.i.i.i, label %B112.i.i.i.i, label %followed.exit.i.i.i

followed.exit.i.i.i: ; preds = %B780.i.i.i.i, %B386.i.i.i
  %thing.2.0.lcssa.sink.i.i.i.i = phi i64 [ %.10.i150.i.i.i, %B386.i.i.i ], [ %thing.3.0.i.i.i.i, %B780.i.i.i.i ]
  %.440.i.i.i = icmp eq i64 %thing.2.0.lcssa.sink.i.i.i.i, 0
  br i1 %.440.i.i.i, label %B226.i.i, label %B490.i.i.i

B490.i.i.i:                                       ; preds = %followed.exit.i.i.i
  %.453.i.i.i = load i64, ptr %.384.i.i.i, align 8, !noalias !21
  %.456.i.i.i = shl nsw i64 %.453.i.i.i, 3
  %.458.i.i.i = add nsw i64 %.456.i.i.i, %position.4.015.i.i.i
  %.345.i.i.i = icmp sgt i64 %.292.216.i.i.i, 0
  %.354.i.i.i = sext i1 %.345.i.i.i to i64
  %.292.2.i.i.i = add nsw i64 %.292.216.i.i.i, %.354.i.i.i
  br i1 %.345.i.i.i, label %B386.i.i.i, label %B278.i.i

B226.i.i:                                         ; preds = %B126.i.i.i, %followed.exit.i.i.i, %B692.i.i.i.i, %B112.i.i.i.i, %B558.i.i.i.i, %B470.i.i.i.i, %B382.i.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.186.i.i.i), !noalias !15
  br label %common.ret.sink.split.i.i

B278.i.i:                                         ; preds = %B490.i.i.i, %B332.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.186.i.i.i), !noalias !15
  %.197.i.i = getelementptr i8, ptr %.17.i, i64 248
  %.198.i.i = load i64, ptr %.197.i.i, align 8, !noalias !15
  %.203.not.i.i = icmp eq i64 %.198.i.i, 0
  br i1 %.203.not.i.i, label %B400.i.i, label %B316.i.i

B316.i.i:                                         ; preds = %B278.i.i
  %.11.i155.i.i = inttoptr i64 %.198.i.i to ptr
  %.16.i156.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 352
  %.17.i157.i.i = load i64, ptr %.16.i156.i.i, align 8, !noalias !33
  %.18.i158.i.i = inttoptr i64 %.17.i157.i.i to ptr
  %.20.i159.i.i = load i64, ptr %.18.i158.i.i, align 8, !noalias !33
  %.22.i160.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 344
  %.23.i161.i.i = load i64, ptr %.22.i160.i.i, align 8, !noalias !33
  %.24.not.i.i.i = icmp eq i64 %.20.i159.i.i, %.23.i161.i.i
  br i1 %.24.not.i.i.i, label %watched_slots_fit.exit.i.i, label %B132.i.i.i.i

B132.i.i.i.i:                                     ; preds = %B316.i.i
  %.31.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 288
  %.32.i.i.i.i = load i64, ptr %.31.i.i.i.i, align 8, !noalias !36
  %.1144.i.i.i.i = icmp sgt i64 %.32.i.i.i.i, 0
  br i1 %.1144.i.i.i.i, label %B186.lr.ph.i.i.i.i, label %all_looked.exit.i.i.i

B186.lr.ph.i.i.i.i:                               ; preds = %B132.i.i.i.i
  %.59.27.i.i.i.i = add nsw i64 %.32.i.i.i.i, -1
  %.14.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 296
  %.11.i.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 304
  %.40.i.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 192
  %.68.phi.trans.insert.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.58.i, i64 8
  %.93.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 328
  %.27.i.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 336
  %.173.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 320
  %.181.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 312
  br label %B186.i.i.i.i

B186.i.i.i.i:                                     ; preds = %looked.exit.i.i.i.i, %B186.lr.ph.i.i.i.i
  %.59.210.i.i.i.i = phi i64 [ %.59.27.i.i.i.i, %B186.lr.ph.i.i.i.i ], [ %.59.2.i.i.i.i, %looked.exit.i.i.i.i ]
  %.56.19.i.i.i.i = phi i64 [ 1, %B186.lr.ph.i.i.i.i ], [ %.56.1.i.i.i.i, %looked.exit.i.i.i.i ]
  %.56.08.i.i.i.i = phi i64 [ 0, %B186.lr.ph.i.i.i.i ], [ %.56.19.i.i.i.i, %looked.exit.i.i.i.i ]
  %.15.i.i.i.i.i = load i64, ptr %.14.i.i.i.i.i, align 8, !noalias !39
  %.16.i.i.i.i.i = mul nsw i64 %.56.08.i.i.i.i, 3
  %.17.i.i.i.i.i = add nsw i64 %.15.i.i.i.i.i, %.16.i.i.i.i.i
  %.18.i.i.i.i.i = shl nsw i64 %.17.i.i.i.i.i, 3
  %.19.i.i.i.i.i = add nsw i64 %.18.i.i.i.i.i, %.198.i.i
  %.20.i.i.i.i.i = inttoptr i64 %.19.i.i.i.i.i to ptr
  call void @llvm.lifetime.start.p0(ptr nonnull %.148.i.i.i.i.i.i), !noalias !39
  %.12.i.i.i.i.i.i = load i64, ptr %.11.i.i.i.i.i.i, align 8, !noalias !42
  %.13.i.i.i.i.i.i = shl nsw i64 %.12.i.i.i.i.i.i, 3
  %.15.i.i.i.i.i.i = add nsw i64 %.13.i.i.i.i.i.i, %.198.i.i
  %.16.i.i.i.i.i.i = inttoptr i64 %.15.i.i.i.i.i.i to ptr
  %.17.i.i.i.i.i.i = getelementptr i64, ptr %.16.i.i.i.i.i.i, i64 %.56.08.i.i.i.i
  %.18.i.i.i.i.i.i = load i64, ptr %.17.i.i.i.i.i.i, align 8, !noalias !42
  %.19.i.i.i.i.i.i = shl nsw i64 %.18.i.i.i.i.i.i, 3
  %.21.i.i.i.i.i.i = add nsw i64 %.19.i.i.i.i.i.i, %.198.i.i
  %.26.i.i.i.i.i.i = inttoptr i64 %.21.i.i.i.i.i.i to ptr
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 64 dereferenceable(16) %.58.i, i8 0, i64 16, i1 false), !noalias !42
  %.41.i.i.i.i.i.i = load i64, ptr %.40.i.i.i.i.i.i, align 8, !noalias !42
  %.42.not.i.i.i.i.i.i = icmp slt i64 %.56.08.i.i.i.i, %.41.i.i.i.i.i.i
  %6 = getelementptr i8, ptr %.26.i.i.i.i.i.i, i64 8
  %.26.val.i.i.i.i.i.i = load i64, ptr %6, align 8, !noalias !42
  %.7.i7.i.i.i.i.i.i = add nsw i64 %.26.val.i.i.i.i.i.i, 16
  %.8.i8.i.i.i.i.i.i = inttoptr i64 %.7.i7.i.i.i.i.i.i to ptr
  %.10.i9.i.i.i.i.i.i = load i64, ptr %.8.i8.i.i.i.i.i.i, align 8, !noalias !42
  br i1 %.42.not.i.i.i.i.i.i, label %found.exit.i.i.i.i.i, label %B256.i.i.i.i.i.i

B256.i.i.i.i.i.i:                                 ; preds = %B186.i.i.i.i
  %.15.i.i.i.i.i.i.i = getelementptr i8, ptr %.26.i.i.i.i.i.i, i64 24
  %.16.i.i.i.i.i.i.i = load i64, ptr %.15.i.i.i.i.i.i.i, align 8, !noalias !45
  %.9913.i.i.i.i.i.i.i = icmp sgt i64 %.16.i.i.i.i.i.i.i, 0
  br i1 %.9913.i.i.i.i.i.i.i, label %B112.preheader.i.i.i.i.i.i.i, label %followed.exit.i.i.i.i.i.i

B112.preheader.i.i.i.i.i.i.i:                     ; preds = %B256.i.i.i.i.i.i
  %.43.215.i.i.i.i.i.i.i = add nsw i64 %.16.i.i.i.i.i.i.i, -1
  %.10.i6.i.i.i.i.i.i = add nsw i64 %.21.i.i.i.i.i.i, 32
  br label %B112.i.i.i.i.i.i.i

B112.i.i.i.i.i.i.i:                               ; preds = %B780.i.i.i.i.i.i.i, %B112.preheader.i.i.i.i.i.i.i
  %.43.218.i.i.i.i.i.i.i = phi i64 [ %.43.2.i.i.i.i.i.i.i, %B780.i.i.i.i.i.i.i ], [ %.43.215.i.i.i.i.i.i.i, %B112.preheader.i.i.i.i.i.i.i ]
  %thing.2.017.i.i.i.i.i.i.i = phi i64 [ %thing.3.0.i.i.i.i.i.i.i, %B780.i.i.i.i.i.i.i ], [ %.10.i9.i.i.i.i.i.i, %B112.preheader.i.i.i.i.i.i.i ]
  %position.3.016.i.i.i.i.i.i.i = phi i64 [ %position.4.0.lcssa.i.i.i.i.i.i.i, %B780.i.i.i.i.i.i.i ], [ %.10.i6.i.i.i.i.i.i, %B112.preheader.i.i.i.i.i.i.i ]
  %.138.i.i.i.i.i.i.i = inttoptr i64 %position.3.016.i.i.i.i.i.i.i to ptr
  %.143.i.i.i.i.i.i.i = add nsw i64 %thing.2.017.i.i.i.i.i.i.i, 8
  %.144.i.i.i.i.i.i.i = inttoptr i64 %.143.i.i.i.i.i.i.i to ptr
  %.146.i.i.i.i.i.i.i = load i64, ptr %.144.i.i.i.i.i.i.i, align 8, !noalias !45
  %.149.i.i.i.i.i.i.i = load i64, ptr %.138.i.i.i.i.i.i.i, align 8, !noalias !45
  %.150.not.i.i.i.i.i.i.i = icmp eq i64 %.146.i.i.i.i.i.i.i, %.149.i.i.i.i.i.i.i
  br i1 %.150.not.i.i.i.i.i.i.i, label %B238.i.i.i.i.i.i.i, label %followed.exit.i.thread.i.i.i.i.i

B238.i.i.i.i.i.i.i:                               ; preds = %B112.i.i.i.i.i.i.i
  %.164.i.i.i.i.i.i.i = add i64 %position.3.016.i.i.i.i.i.i.i, 24
  %.171.i.i.i.i.i.i.i = getelementptr i8, ptr %.138.i.i.i.i.i.i.i, i64 16
  %.172.i.i.i.i.i.i.i = load i64, ptr %.171.i.i.i.i.i.i.i, align 8, !noalias !45
  %.2529.not.i.i.i.i.i.i.i = icmp slt i64 %.172.i.i.i.i.i.i.i, 1
  br i1 %.2529.not.i.i.i.i.i.i.i, label %B658.i.i.i.i.i.i.i, label %B318.preheader.i.i.i.i.i.i.i

B318.preheader.i.i.i.i.i.i.i:                     ; preds = %B238.i.i.i.i.i.i.i
  %7 = shl i64 %.172.i.i.i.i.i.i.i, 4
  %8 = add i64 %7, %.164.i.i.i.i.i.i.i
  br label %B318.i.i.i.i.i.i.i

B318.i.i.i.i.i.i.i:                               ; preds = %B646.i.i.i.i.i.i.i, %B318.preheader.i.i.i.i.i.i.i
  %.26112.in.i.i.i.i.i.i.i = phi i64 [ %.26112.i.i.i.i.i.i.i, %B646.i.i.i.i.i.i.i ], [ %.172.i.i.i.i.i.i.i, %B318.preheader.i.i.i.i.i.i.i ]
  %position.4.011.i.i.i.i.i.i.i = phi i64 [ %.375.i.i.i.i.i.i.i, %B646.i.i.i.i.i.i.i ], [ %.164.i.i.i.i.i.i.i, %B318.preheader.i.i.i.i.i.i.i ]
  %.26112.i.i.i.i.i.i.i = add nsw i64 %.26112.in.i.i.i.i.i.i.i, -1
  %.291.i.i.i.i.i.i.i = inttoptr i64 %position.4.011.i.i.i.i.i.i.i to ptr
  %.297.i.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i.i, align 8, !noalias !45
  %.298.i.i.i.i.i.i.i = and i64 %.297.i.i.i.i.i.i.i, 1
  %.299.not.i.i.i.i.i.i.i = icmp eq i64 %.298.i.i.i.i.i.i.i, 0
  br i1 %.299.not.i.i.i.i.i.i.i, label %B558.i.i.i.i.i.i.i, label %B382.i.i.i.i.i.i.i

B382.i.i.i.i.i.i.i:                               ; preds = %B318.i.i.i.i.i.i.i
  %.304.i.i.i.i.i.i.i = and i64 %.297.i.i.i.i.i.i.i, -2
  %.306.i.i.i.i.i.i.i = add nsw i64 %.304.i.i.i.i.i.i.i, %thing.2.017.i.i.i.i.i.i.i
  %.307.i.i.i.i.i.i.i = inttoptr i64 %.306.i.i.i.i.i.i.i to ptr
  %.309.i.i.i.i.i.i.i = load i64, ptr %.307.i.i.i.i.i.i.i, align 8, !noalias !45
  %.314.i.i.i.i.i.i.i = icmp eq i64 %.309.i.i.i.i.i.i.i, 0
  br i1 %.314.i.i.i.i.i.i.i, label %followed.exit.i.thread.i.i.i.i.i, label %B470.i.i.i.i.i.i.i

B470.i.i.i.i.i.i.i:                               ; preds = %B382.i.i.i.i.i.i.i
  %.317.i.i.i.i.i.i.i = add nsw i64 %.309.i.i.i.i.i.i.i, 8
  %.320.i.i.i.i.i.i.i = inttoptr i64 %.317.i.i.i.i.i.i.i to ptr
  %.322.i.i.i.i.i.i.i = load i64, ptr %.320.i.i.i.i.i.i.i, align 8, !noalias !45
  %.324.i.i.i.i.i.i.i = getelementptr i8, ptr %.291.i.i.i.i.i.i.i, i64 8
  %.325.i.i.i.i.i.i.i = load i64, ptr %.324.i.i.i.i.i.i.i, align 8, !noalias !45
  %.328.i.i.i.i.i.i.i = icmp eq i64 %.322.i.i.i.i.i.i.i, %.325.i.i.i.i.i.i.i
  br i1 %.328.i.i.i.i.i.i.i, label %followed.exit.i.thread.i.i.i.i.i, label %B646.i.i.i.i.i.i.i

B558.i.i.i.i.i.i.i:                               ; preds = %B318.i.i.i.i.i.i.i
  %.351.i.i.i.i.i.i.i = add nsw i64 %.297.i.i.i.i.i.i.i, %thing.2.017.i.i.i.i.i.i.i
  %.352.i.i.i.i.i.i.i = inttoptr i64 %.351.i.i.i.i.i.i.i to ptr
  %.354.i.i.i.i.i.i.i = load i64, ptr %.352.i.i.i.i.i.i.i, align 8, !noalias !45
  %.356.i.i.i.i.i.i.i = getelementptr i8, ptr %.291.i.i.i.i.i.i.i, i64 8
  %.357.i.i.i.i.i.i.i = load i64, ptr %.356.i.i.i.i.i.i.i, align 8, !noalias !45
  %.360.not.i.i.i.i.i.i.i = icmp eq i64 %.354.i.i.i.i.i.i.i, %.357.i.i.i.i.i.i.i
  br i1 %.360.not.i.i.i.i.i.i.i, label %B646.i.i.i.i.i.i.i, label %followed.exit.i.thread.i.i.i.i.i

B646.i.i.i.i.i.i.i:                               ; preds = %B558.i.i.i.i.i.i.i, %B470.i.i.i.i.i.i.i
  %.375.i.i.i.i.i.i.i = add nsw i64 %position.4.011.i.i.i.i.i.i.i, 16
  %.252.i.i.i.i.i.i.i = icmp samesign ugt i64 %.26112.in.i.i.i.i.i.i.i, 1
  br i1 %.252.i.i.i.i.i.i.i, label %B318.i.i.i.i.i.i.i, label %B658.i.i.i.i.i.i.i

B658.i.i.i.i.i.i.i:                               ; preds = %B646.i.i.i.i.i.i.i, %B238.i.i.i.i.i.i.i
  %position.4.0.lcssa.i.i.i.i.i.i.i = phi i64 [ %.164.i.i.i.i.i.i.i, %B238.i.i.i.i.i.i.i ], [ %8, %B646.i.i.i.i.i.i.i ]
  %.388.i.i.i.i.i.i.i = getelementptr i8, ptr %.138.i.i.i.i.i.i.i, i64 8
  %.389.i.i.i.i.i.i.i = load i64, ptr %.388.i.i.i.i.i.i.i, align 8, !noalias !45
  %.390.not.i.i.i.i.i.i.i = icmp eq i64 %.389.i.i.i.i.i.i.i, 0
  br i1 %.390.not.i.i.i.i.i.i.i, label %B780.i.i.i.i.i.i.i, label %B692.i.i.i.i.i.i.i

B692.i.i.i.i.i.i.i:                               ; preds = %B658.i.i.i.i.i.i.i
  %.398.i.i.i.i.i.i.i = add nsw i64 %.389.i.i.i.i.i.i.i, %thing.2.017.i.i.i.i.i.i.i
  %.401.i.i.i.i.i.i.i = inttoptr i64 %.398.i.i.i.i.i.i.i to ptr
  %.403.i.i.i.i.i.i.i = load i64, ptr %.401.i.i.i.i.i.i.i, align 8, !noalias !45
  %.406.i.i.i.i.i.i.i = icmp eq i64 %.403.i.i.i.i.i.i.i, 0
  br i1 %.406.i.i.i.i.i.i.i, label %followed.exit.i.thread.i.i.i.i.i, label %B780.i.i.i.i.i.i.i

B780.i.i.i.i.i.i.i:                               ; preds = %B692.i.i.i.i.i.i.i, %B658.i.i.i.i.i.i.i
  %thing.3.0.i.i.i.i.i.i.i = phi i64 [ %thing.2.017.i.i.i.i.i.i.i, %B658.i.i.i.i.i.i.i ], [ %.403.i.i.i.i.i.i.i, %B692.i.i.i.i.i.i.i ]
  %.99.i.i.i.i.i.i.i = icmp sgt i64 %.43.218.i.i.i.i.i.i.i, 0
  %.108.i.i.i.i.i.i.i = sext i1 %.99.i.i.i.i.i.i.i to i64
  %.43.2.i.i.i.i.i.i.i = add nsw i64 %.43.218.i.i.i.i.i.i.i, %.108.i.i.i.i.i.i.i
  br i1 %.99.i.i.i.i.i.i.i, label %B112.i.i.i.i.i.i.i, label %followed.exit.i.i.i.i.i.i

followed.exit.i.thread.i.i.i.i.i: ; preds = %B692.i.i.i.i.i.i.i, %B112.i.i.i.i.i.i.i, %B558.i.i.i.i.i.i.i, %B470.i.i.i.i.i.i.i, %B382.i.i.i.i.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.148.i.i.i.i.i.i), !noalias !39
  br label %B212.i.i.i.i.i

followed.exit.i.i.i.i.i.i: ; preds = %B780.i.i.i.i.i.i.i, %B256.i.i.i.i.i.i
  %thing.2.0.lcssa.sink.i.i.i.i.i.i.i = phi i64 [ %.10.i9.i.i.i.i.i.i, %B256.i.i.i.i.i.i ], [ %thing.3.0.i.i.i.i.i.i.i, %B780.i.i.i.i.i.i.i ]
  %.106.i.not.i.i.i.i.i = icmp ne i64 %thing.2.0.lcssa.sink.i.i.i.i.i.i.i, 0
  call void @llvm.lifetime.end.p0(ptr nonnull %.148.i.i.i.i.i.i), !noalias !39
  br label %B212.i.i.i.i.i

found.exit.i.i.i.i.i: ; preds = %B186.i.i.i.i
  %.139.i.i.i.i.i.i = load i64, ptr %.26.i.i.i.i.i.i, align 8, !noalias !42
  %9 = add i64 %.139.i.i.i.i.i.i, %.18.i.i.i.i.i.i
  %10 = shl i64 %9, 3
  %.144.i.i.i.i.i.i = add i64 %10, %.198.i.i
  store i8 0, ptr %.148.i.i.i.i.i.i, align 1, !noalias !42
  call fastcc void @followed_bound(ptr nonnull %.148.i.i.i.i.i.i, i64 range(i64 1, 0) %.198.i.i, i64 %.10.i9.i.i.i.i.i.i, i64 %.21.i.i.i.i.i.i, i64 %.144.i.i.i.i.i.i, ptr nonnull %.58.i)
  %.162.i.i.i.i.i.i = load i8, ptr %.148.i.i.i.i.i.i, align 1, !noalias !42
  %.165.i.not.i.i.i.i.i = icmp ne i8 %.162.i.i.i.i.i.i, 0
  call void @llvm.lifetime.end.p0(ptr nonnull %.148.i.i.i.i.i.i), !noalias !39
  %.69.pre.i.i.i.i.i = load i64, ptr %.68.phi.trans.insert.i.i.i.i.i, align 8, !noalias !0
  %spec.select9.i = select i1 %.165.i.not.i.i.i.i.i, i64 %.69.pre.i.i.i.i.i, i64 0
  br label %B212.i.i.i.i.i

B212.i.i.i.i.i:                                   ; preds = %found.exit.i.i.i.i.i, %followed.exit.i.i.i.i.i.i, %followed.exit.i.thread.i.i.i.i.i
  %storemerge.in.i2.i.i.i.i.i = phi i1 [ false, %followed.exit.i.thread.i.i.i.i.i ], [ %.165.i.not.i.i.i.i.i, %found.exit.i.i.i.i.i ], [ %.106.i.not.i.i.i.i.i, %followed.exit.i.i.i.i.i.i ]
  %storemerge.i.i.i.i.i = phi i64 [ 0, %followed.exit.i.thread.i.i.i.i.i ], [ %spec.select9.i, %found.exit.i.i.i.i.i ], [ 0, %followed.exit.i.i.i.i.i.i ]
  %.84.i.i.i.i.i = getelementptr i8, ptr %.20.i.i.i.i.i, i64 8
  %.85.i.i.i.i.i = load i64, ptr %.84.i.i.i.i.i, align 8, !noalias !39
  %.90.not.i.i.i.i.i = icmp eq i64 %.85.i.i.i.i.i, 0
  br i1 %.90.not.i.i.i.i.i, label %B322.i.i.i.i.i, label %B252.i.i.i.i.i

B252.i.i.i.i.i:                                   ; preds = %B212.i.i.i.i.i
  %.94.i.i.i.i.i = load i64, ptr %.93.i.i.i.i.i, align 8, !noalias !39
  %.95.not.i.i.i.i.i = icmp eq i64 %.94.i.i.i.i.i, 0
  br i1 %.95.not.i.i.i.i.i, label %B322.i.i.i.i.i, label %B286.i.i.i.i.i

B286.i.i.i.i.i:                                   ; preds = %B252.i.i.i.i.i
  %.10.i10.i.i.i.i.i = call i64 @PyMem_RawMalloc(i64 16), !noalias !48
  %.15.i11.i.i.i.i.i = icmp eq i64 %.10.i10.i.i.i.i.i, 0
  br i1 %.15.i11.i.i.i.i.i, label %common.ret.sink.split.i.i, label %put_aside.exit.i.i.i.i.i

put_aside.exit.i.i.i.i.i: ; preds = %B286.i.i.i.i.i
  %.28.i.i.i.i.i.i = load i64, ptr %.27.i.i.i.i.i.i, align 8, !noalias !48
  %.30.i12.i.i.i.i.i = inttoptr i64 %.10.i10.i.i.i.i.i to ptr
  store i64 %.28.i.i.i.i.i.i, ptr %.30.i12.i.i.i.i.i, align 8, !noalias !48
  %.36.i.i.i.i.i.i = getelementptr i8, ptr %.30.i12.i.i.i.i.i, i64 8
  store i64 %.85.i.i.i.i.i, ptr %.36.i.i.i.i.i.i, align 8, !noalias !48
  store i64 %.10.i10.i.i.i.i.i, ptr %.27.i.i.i.i.i.i, align 8, !noalias !48
  br label %B322.i.i.i.i.i

B322.i.i.i.i.i:                                   ; preds = %put_aside.exit.i.i.i.i.i, %B252.i.i.i.i.i, %B212.i.i.i.i.i
  br i1 %storemerge.in.i2.i.i.i.i.i, label %B326.i.i.i.i.i, label %B452.i.i.i.i.i

B326.i.i.i.i.i:                                   ; preds = %B322.i.i.i.i.i
  %.156.i.i.i.i.i = load i64, ptr %.58.i, align 64, !noalias !39
  %.162.i.i.i.i.i = load i64, ptr %.20.i.i.i.i.i, align 8, !noalias !39
  %.164.not.i.i.i.i.i = icmp eq i64 %.156.i.i.i.i.i, %.162.i.i.i.i.i
  br i1 %.164.not.i.i.i.i.i, label %B452.i.i.i.i.i, label %B412.i.i.i.i.i

B412.i.i.i.i.i:                                   ; preds = %B326.i.i.i.i.i
  store i64 %.156.i.i.i.i.i, ptr %.20.i.i.i.i.i, align 8, !noalias !39
  store i64 1, ptr %.173.i.i.i.i.i, align 8, !noalias !39
  br label %B452.i.i.i.i.i

B452.i.i.i.i.i:                                   ; preds = %B412.i.i.i.i.i, %B326.i.i.i.i.i, %B322.i.i.i.i.i
  %.182.i.i.i.i.i = load i64, ptr %.181.i.i.i.i.i, align 8, !noalias !39
  %.184.i.i.i.i.i = getelementptr i8, ptr %.20.i.i.i.i.i, i64 16
  %.185.i.i.i.i.i = load i64, ptr %.184.i.i.i.i.i, align 8, !noalias !39
  %spec.select.i.i.i.i.i = sext i1 %storemerge.in.i2.i.i.i.i.i to i64
  %.210.i.i.i.i.i = add i64 %.182.i.i.i.i.i, %spec.select.i.i.i.i.i
  %.216.i.i.i.i.i = add i64 %.210.i.i.i.i.i, %.185.i.i.i.i.i
  store i64 %.216.i.i.i.i.i, ptr %.181.i.i.i.i.i, align 8, !noalias !39
  %storemerge3.i.i.i.i.i = zext i1 %storemerge.in.i2.i.i.i.i.i to i64
  store i64 %storemerge3.i.i.i.i.i, ptr %.184.i.i.i.i.i, align 8, !noalias !39
  store i64 %storemerge.i.i.i.i.i, ptr %.84.i.i.i.i.i, align 8, !noalias !39
  %.251.not.i.i.i.i.i = icmp eq i64 %storemerge.i.i.i.i.i, 0
  br i1 %.251.not.i.i.i.i.i, label %B620.i.i.i.i.i, label %B590.i.i.i.i.i

B590.i.i.i.i.i:                                   ; preds = %B452.i.i.i.i.i
  %.254.i.i.i.i.i = call ptr @Py_IncRef(i64 %storemerge.i.i.i.i.i), !noalias !39
  br label %B620.i.i.i.i.i

B620.i.i.i.i.i:                                   ; preds = %B590.i.i.i.i.i, %B452.i.i.i.i.i
  br i1 %.90.not.i.i.i.i.i, label %looked.exit.i.i.i.i, label %B632.i.i.i.i.i

B632.i.i.i.i.i:                                   ; preds = %B620.i.i.i.i.i
  %.265.i.i.i.i.i = load i64, ptr %.93.i.i.i.i.i, align 8, !noalias !39
  %.268.i.i.i.i.i = icmp eq i64 %.265.i.i.i.i.i, 0
  br i1 %.268.i.i.i.i.i, label %B666.i.i.i.i.i, label %looked.exit.i.i.i.i

B666.i.i.i.i.i:                                   ; preds = %B632.i.i.i.i.i
  %.271.i.i.i.i.i = call ptr @Py_DecRef(i64 %.85.i.i.i.i.i), !noalias !39
  br label %looked.exit.i.i.i.i

looked.exit.i.i.i.i: ; preds = %B666.i.i.i.i.i, %B632.i.i.i.i.i, %B620.i.i.i.i.i
  %.114.i.i.i.i = icmp sgt i64 %.59.210.i.i.i.i, 0
  %.127.i.i.i.i = zext i1 %.114.i.i.i.i to i64
  %.56.1.i.i.i.i = add i64 %.56.19.i.i.i.i, %.127.i.i.i.i
  %.123.i.i.i.i = sext i1 %.114.i.i.i.i to i64
  %.59.2.i.i.i.i = add nsw i64 %.59.210.i.i.i.i, %.123.i.i.i.i
  br i1 %.114.i.i.i.i, label %B186.i.i.i.i, label %all_looked.exit.i.i.i

all_looked.exit.i.i.i: ; preds = %looked.exit.i.i.i.i, %B132.i.i.i.i
  store i64 %.20.i159.i.i, ptr %.22.i160.i.i, align 8, !noalias !36
  br label %watched_slots_fit.exit.i.i

watched_slots_fit.exit.i.i: ; preds = %all_looked.exit.i.i.i, %B316.i.i
  %.79.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 312
  %.80.i.i.i = load i64, ptr %.79.i.i.i, align 8, !noalias !33
  %.83.i.not.i.i = icmp eq i64 %.80.i.i.i, 0
  br i1 %.83.i.not.i.i, label %B400.i.i, label %common.ret.sink.split.i.i

B400.i.i:                                         ; preds = %watched_slots_fit.exit.i.i, %B278.i.i
  %.16.i164.i.i = getelementptr i8, ptr %.17.i, i64 224
  %.17.i165.i.i = load i64, ptr %.16.i164.i.i, align 8, !noalias !51
  %.18.i166.i.i = shl nsw i64 %.17.i165.i.i, 3
  %.20.i167.i.i = add nsw i64 %.18.i166.i.i, %.12.i
  %.21.i168.i.i = inttoptr i64 %.20.i167.i.i to ptr
  %.29.i.i.i = getelementptr i8, ptr %.17.i, i64 232
  %.30.i169.i.i = load i64, ptr %.29.i.i.i, align 8, !noalias !51
  %.1123.not.i.i.i = icmp slt i64 %.30.i169.i.i, 1
  br i1 %.1123.not.i.i.i, label %B256.i.i.i, label %B156.i.i.i.preheader

B156.i.i.i.preheader:                             ; preds = %B400.i.i
  %xtraiter = and i64 %.30.i169.i.i, 1
  %11 = icmp eq i64 %.30.i169.i.i, 1
  br i1 %11, label %B156.i.i.i.epil.preheader, label %B156.i.i.i.preheader.new

B156.i.i.i.preheader.new:                         ; preds = %B156.i.i.i.preheader
  %unroll_iter = and i64 %.30.i169.i.i, 9223372036854775806
  br label %B156.i.i.i

B156.i.i.i:                                       ; preds = %B156.i.i.i, %B156.i.i.i.preheader.new
  %moved.3.06.i.i.i = phi i64 [ 0, %B156.i.i.i.preheader.new ], [ %.164.i172.i.i.1, %B156.i.i.i ]
  %.54.04.i170.i.i = phi i64 [ 0, %B156.i.i.i.preheader.new ], [ %.125.i.i.i.1, %B156.i.i.i ]
  %niter = phi i64 [ 0, %B156.i.i.i.preheader.new ], [ %niter.next.1, %B156.i.i.i ]
  %12 = shl i64 %.54.04.i170.i.i, 4
  %.152.i171.i.i = getelementptr i8, ptr %.21.i168.i.i, i64 %12
  %.153.i.i.i = load i64, ptr %.152.i171.i.i, align 8, !noalias !51
  %.155.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.153.i.i.i
  %.156.i.i.i = load i64, ptr %.155.i.i.i, align 8, !noalias !51
  %.160.i.i.i = getelementptr i8, ptr %.152.i171.i.i, i64 8
  %.161.i.i.i = load i64, ptr %.160.i.i.i, align 8, !noalias !51
  %.162.i.i.i = xor i64 %.161.i.i.i, %.156.i.i.i
  %.164.i172.i.i = or i64 %.162.i.i.i, %moved.3.06.i.i.i
  store i64 %.156.i.i.i, ptr %.160.i.i.i, align 8, !noalias !51
  %.125.i.i.i = shl i64 %.54.04.i170.i.i, 4
  %.125.i.i.i.1 = add nuw nsw i64 %.54.04.i170.i.i, 2
  %13 = getelementptr i8, ptr %.21.i168.i.i, i64 %.125.i.i.i
  %.152.i171.i.i.1 = getelementptr i8, ptr %13, i64 16
  %.153.i.i.i.1 = load i64, ptr %.152.i171.i.i.1, align 8, !noalias !51
  %.155.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.153.i.i.i.1
  %.156.i.i.i.1 = load i64, ptr %.155.i.i.i.1, align 8, !noalias !51
  %.160.i.i.i.1 = getelementptr i8, ptr %13, i64 24
  %.161.i.i.i.1 = load i64, ptr %.160.i.i.i.1, align 8, !noalias !51
  %.162.i.i.i.1 = xor i64 %.161.i.i.i.1, %.156.i.i.i.1
  %.164.i172.i.i.1 = or i64 %.162.i.i.i.1, %.164.i172.i.i
  store i64 %.156.i.i.i.1, ptr %.160.i.i.i.1, align 8, !noalias !51
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %B256.i.i.i.loopexit.unr-lcssa, label %B156.i.i.i

B256.i.i.i.loopexit.unr-lcssa:                    ; preds = %B156.i.i.i
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B256.i.i.i, label %B156.i.i.i.epil.preheader

B156.i.i.i.epil.preheader:                        ; preds = %B256.i.i.i.loopexit.unr-lcssa, %B156.i.i.i.preheader
  %moved.3.06.i.i.i.epil.init = phi i64 [ 0, %B156.i.i.i.preheader ], [ %.164.i172.i.i.1, %B256.i.i.i.loopexit.unr-lcssa ]
  %.54.04.i170.i.i.epil.init = phi i64 [ 0, %B156.i.i.i.preheader ], [ %.125.i.i.i.1, %B256.i.i.i.loopexit.unr-lcssa ]
  %lcmp.mod162 = icmp ne i64 %xtraiter, 0
  call void @llvm.assume(i1 %lcmp.mod162)
  %14 = shl i64 %.54.04.i170.i.i.epil.init, 4
  %.152.i171.i.i.epil = getelementptr i8, ptr %.21.i168.i.i, i64 %14
  %.153.i.i.i.epil = load i64, ptr %.152.i171.i.i.epil, align 8, !noalias !51
  %.155.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.153.i.i.i.epil
  %.156.i.i.i.epil = load i64, ptr %.155.i.i.i.epil, align 8, !noalias !51
  %.160.i.i.i.epil = getelementptr i8, ptr %.152.i171.i.i.epil, i64 8
  %.161.i.i.i.epil = load i64, ptr %.160.i.i.i.epil, align 8, !noalias !51
  %.162.i.i.i.epil = xor i64 %.161.i.i.i.epil, %.156.i.i.i.epil
  %.164.i172.i.i.epil = or i64 %.162.i.i.i.epil, %moved.3.06.i.i.i.epil.init
  store i64 %.156.i.i.i.epil, ptr %.160.i.i.i.epil, align 8, !noalias !51
  br label %B256.i.i.i

B256.i.i.i:                                       ; preds = %B156.i.i.i.epil.preheader, %B256.i.i.i.loopexit.unr-lcssa, %B400.i.i
  %moved.3.0.lcssa.i.i.i = phi i64 [ 0, %B400.i.i ], [ %.164.i172.i.i.1, %B256.i.i.i.loopexit.unr-lcssa ], [ %.164.i172.i.i.epil, %B156.i.i.i.epil.preheader ]
  %.183.i.i.i = load i64, ptr %.197.i.i, align 8, !noalias !51
  %.184.i.i.i = inttoptr i64 %.183.i.i.i to ptr
  %.191.not.i.i.i = icmp eq i64 %.183.i.i.i, 0
  br i1 %.191.not.i.i.i, label %B374.i.i.i, label %B342.i.i.i

B342.i.i.i:                                       ; preds = %B256.i.i.i
  %.194.i.i.i = getelementptr i8, ptr %.184.i.i.i, i64 320
  %.195.i174.i.i = load i64, ptr %.194.i.i.i, align 8, !noalias !51
  %.197.i.i.i = or i64 %.195.i174.i.i, %moved.3.0.lcssa.i.i.i
  br label %B374.i.i.i

B374.i.i.i:                                       ; preds = %B342.i.i.i, %B256.i.i.i
  %.205.i.i.i = phi i64 [ %.197.i.i.i, %B342.i.i.i ], [ %moved.3.0.lcssa.i.i.i, %B256.i.i.i ]
  %.206.i.i.i = icmp eq i64 %.205.i.i.i, 0
  br i1 %.206.i.i.i, label %B386.i180.i.i, label %B424.i.i.i

B386.i180.i.i:                                    ; preds = %B374.i.i.i
  %.211.i.i.i = getelementptr i8, ptr %.17.i, i64 240
  %.212.i.i.i = load i64, ptr %.211.i.i.i, align 8, !noalias !51
  %.213.not.i.i.i = icmp eq i64 %.212.i.i.i, 0
  br i1 %.213.not.i.i.i, label %B424.i.i.i, label %B484.i.i

B424.i.i.i:                                       ; preds = %B386.i180.i.i, %B374.i.i.i
  %.240.i.i.i = getelementptr i8, ptr %.17.i, i64 112
  %.241.i175.i.i = load i64, ptr %.240.i.i.i, align 8, !noalias !51
  %.3217.not.i.i.i = icmp slt i64 %.241.i175.i.i, 1
  br i1 %.3217.not.i.i.i, label %B868.i.i.i, label %B516.preheader.i.i.i

B516.preheader.i.i.i:                             ; preds = %B424.i.i.i
  %.229.i.i.i = getelementptr i8, ptr %.17.i, i64 104
  %.230.i.i.i = load i64, ptr %.229.i.i.i, align 8, !noalias !51
  %.231.i176.i.i = shl nsw i64 %.230.i.i.i, 3
  %.233.i.i.i = add nsw i64 %.231.i176.i.i, %.12.i
  br label %B516.i.i.i

B516.i.i.i:                                       ; preds = %B840.i.i.i, %B516.preheader.i.i.i
  %.33010.in.i.i.i = phi i64 [ %.33010.i.i.i, %B840.i.i.i ], [ %.241.i175.i.i, %B516.preheader.i.i.i ]
  %position.2.09.i.i.i = phi i64 [ %.505.i.i.i, %B840.i.i.i ], [ %.233.i.i.i, %B516.preheader.i.i.i ]
  %.33010.i.i.i = add nsw i64 %.33010.in.i.i.i, -1
  %.360.i.i.i = inttoptr i64 %position.2.09.i.i.i to ptr
  %.367.i.i.i = load i64, ptr %.360.i.i.i, align 8, !noalias !51
  %.33.i.i.i.i = sub i64 0, %.367.i.i.i
  %.37.i.i.i.i = getelementptr i64, ptr %.184.i.i.i, i64 %.33.i.i.i.i
  %.20.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.367.i.i.i
  %.141.i.i.i.i = icmp slt i64 %.367.i.i.i, 0
  %storemerge.in.i.i.i.i = select i1 %.141.i.i.i.i, ptr %.37.i.i.i.i, ptr %.20.i.i.i.i
  %storemerge.i.i.i.i = load i64, ptr %storemerge.in.i.i.i.i, align 8, !noalias !54
  %.396.i.i.i = getelementptr i8, ptr %.360.i.i.i, i64 24
  %.397.i.i.i = load i64, ptr %.396.i.i.i, align 8, !noalias !51
  %.33.i142.i.i.i = sub i64 0, %.397.i.i.i
  %.37.i143.i.i.i = getelementptr i64, ptr %.184.i.i.i, i64 %.33.i142.i.i.i
  %.20.i144.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.397.i.i.i
  %.141.i145.i.i.i = icmp slt i64 %.397.i.i.i, 0
  %storemerge.in.i146.i.i.i = select i1 %.141.i145.i.i.i, ptr %.37.i143.i.i.i, ptr %.20.i144.i.i.i
  %storemerge.i147.i.i.i = load i64, ptr %storemerge.in.i146.i.i.i, align 8, !noalias !57
  %.431.i.i.i = getelementptr i8, ptr %.360.i.i.i, i64 8
  %.432.i.i.i = load i64, ptr %.431.i.i.i, align 8, !noalias !51
  %.434.i.i.i = add nsw i64 %.432.i.i.i, %storemerge.i.i.i.i
  %.436.i.i.i = getelementptr i8, ptr %.360.i.i.i, i64 40
  %.437.i.i.i = load i64, ptr %.436.i.i.i, align 8, !noalias !51
  %.439.i.i.i = add nsw i64 %.437.i.i.i, %storemerge.i147.i.i.i
  %.440.i177.i.i = icmp slt i64 %.434.i.i.i, %.439.i.i.i
  br i1 %.440.i177.i.i, label %B688.i.i.i, label %B840.i.i.i

B688.i.i.i:                                       ; preds = %B516.i.i.i
  %.443.i.i.i = getelementptr i8, ptr %.360.i.i.i, i64 32
  %.444.i.i.i = load i64, ptr %.443.i.i.i, align 8, !noalias !51
  %.446.i.i.i = add nsw i64 %.444.i.i.i, %storemerge.i147.i.i.i
  %.450.i.i.i = getelementptr i8, ptr %.360.i.i.i, i64 16
  %.451.i.i.i = load i64, ptr %.450.i.i.i, align 8, !noalias !51
  %.455.i.i.i = add nsw i64 %.451.i.i.i, %storemerge.i.i.i.i
  %.458.i179.i.i = icmp slt i64 %.446.i.i.i, %.455.i.i.i
  br i1 %.458.i179.i.i, label %B736.i.i.i, label %B840.i.i.i

B736.i.i.i:                                       ; preds = %B688.i.i.i
  %.468.i.i.i = load i64, ptr %.29.i.i.i, align 8, !noalias !51
  %.469.i.i.i = icmp sgt i64 %.468.i.i.i, 0
  br i1 %.469.i.i.i, label %B770.i.i.i, label %B780.i.i.i

B770.i.i.i:                                       ; preds = %B736.i.i.i
  %.472.i.i.i = getelementptr i8, ptr %.21.i168.i.i, i64 8
  store i64 0, ptr %.472.i.i.i, align 8, !noalias !51
  %.481.pre.i.i.i = load i64, ptr %.197.i.i, align 8, !noalias !51
  br label %B780.i.i.i

B780.i.i.i:                                       ; preds = %B770.i.i.i, %B736.i.i.i
  %.481.i.i.i = phi i64 [ %.481.pre.i.i.i, %B770.i.i.i ], [ %.183.i.i.i, %B736.i.i.i ]
  %.484.not.i.i.i = icmp eq i64 %.481.i.i.i, 0
  br i1 %.484.not.i.i.i, label %common.ret.sink.split.i.i, label %overlapping.exit.i.i

B840.i.i.i:                                       ; preds = %B688.i.i.i, %B516.i.i.i
  %.505.i.i.i = add nsw i64 %position.2.09.i.i.i, 48
  %.321.i.i.i = icmp samesign ugt i64 %.33010.in.i.i.i, 1
  br i1 %.321.i.i.i, label %B516.i.i.i, label %B868.i.i.i

B868.i.i.i:                                       ; preds = %B840.i.i.i, %B424.i.i.i
  br i1 %.191.not.i.i.i, label %B484.i.i, label %overlapping.exit.thread12.i.i

overlapping.exit.thread12.i.i: ; preds = %B868.i.i.i
  %.527.i15.i.i = getelementptr i8, ptr %.184.i.i.i, i64 320
  store i64 0, ptr %.527.i15.i.i, align 8, !noalias !51
  br label %B484.i.i

overlapping.exit.i.i: ; preds = %B780.i.i.i
  %.527.i.i.i = getelementptr i8, ptr %.184.i.i.i, i64 320
  store i64 1, ptr %.527.i.i.i, align 8, !noalias !51
  br label %common.ret.sink.split.i.i

B484.i.i:                                         ; preds = %overlapping.exit.thread12.i.i, %B868.i.i.i, %B386.i180.i.i
  %.368.i.i = getelementptr i8, ptr %.17.i, i64 256
  %.369.i.i = load i64, ptr %.368.i.i, align 8, !noalias !15
  %.370.i.i = add nsw i64 %.369.i.i, 1
  store i64 %.370.i.i, ptr %.368.i.i, align 8, !noalias !15
  %.375.i.i = getelementptr i8, ptr %.17.i, i64 208
  %.376.i.i = load i64, ptr %.375.i.i, align 8, !noalias !15
  %.381.i.i = getelementptr i8, ptr %.17.i, i64 216
  %.382.i.i = load i64, ptr %.381.i.i, align 8, !noalias !15
  %.46253.not.i.i = icmp slt i64 %.382.i.i, 1
  br i1 %.46253.not.i.i, label %B658.i.i, label %B606.lr.ph.i.i

B606.lr.ph.i.i:                                   ; preds = %B484.i.i
  %15 = getelementptr i64, ptr %.22.i.i, i64 %.376.i.i
  br label %B606.i14.i

B606.i14.i:                                       ; preds = %B606.i14.i, %B606.lr.ph.i.i
  %.406.054.i.i = phi i64 [ 0, %B606.lr.ph.i.i ], [ %.475.i.i, %B606.i14.i ]
  %.475.i.i = add nuw nsw i64 %.406.054.i.i, 1
  %.503.i.i = getelementptr i64, ptr %15, i64 %.406.054.i.i
  %.504.i.i = load i64, ptr %.503.i.i, align 8, !noalias !15
  %.505.i.i = call ptr @Py_IncRef(i64 %.504.i.i), !noalias !15
  %exitcond.not.i.i = icmp eq i64 %.475.i.i, %.382.i.i
  br i1 %exitcond.not.i.i, label %B658.i.i, label %B606.i14.i

B658.i.i:                                         ; preds = %B606.i14.i, %B484.i.i
  br i1 %.203.not.i.i, label %B738.i.i, label %B670.i.i

B670.i.i:                                         ; preds = %B658.i.i
  %.515.i.i = inttoptr i64 %.198.i.i to ptr
  %.516.i.i = getelementptr i8, ptr %.515.i.i, i64 328
  %.517.i.i = load i64, ptr %.516.i.i, align 8, !noalias !15
  %.518.i.i = add nsw i64 %.517.i.i, 1
  store i64 %.518.i.i, ptr %.516.i.i, align 8, !noalias !15
  br label %B738.i.i

B738.i.i:                                         ; preds = %B670.i.i, %B658.i.i
  %.16.i.i183.i.i = getelementptr i8, ptr %.17.i, i64 120
  %.25.i.i.i.i = getelementptr i8, ptr %.17.i, i64 128
  %.26.i.i.i.i = load i64, ptr %.25.i.i.i.i, align 8, !noalias !60
  %.1083.not.i.i.i.i = icmp slt i64 %.26.i.i.i.i, 1
  br i1 %.1083.not.i.i.i.i, label %B70.i.i.i, label %B126.lr.ph.i.i.i.i

B126.lr.ph.i.i.i.i:                               ; preds = %B738.i.i
  %.17.i.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !60
  %.18.i.i.i.i = shl nsw i64 %.17.i.i.i.i, 3
  %.20.i.i184.i.i = add nsw i64 %.18.i.i.i.i, %.12.i
  %.47.i.i.i.i.i = getelementptr i8, ptr %.17.i, i64 48
  br label %B126.i.i.i.i

B126.i.i.i.i:                                     ; preds = %B436.i.i.i.i, %B126.lr.ph.i.i.i.i
  %.1218.i.i.i.i = phi i64 [ 1, %B126.lr.ph.i.i.i.i ], [ %.121.i.i.i.i, %B436.i.i.i.i ]
  %position.2.06.i.i.i.i = phi i64 [ %.20.i.i184.i.i, %B126.lr.ph.i.i.i.i ], [ %.277.i.i.i.i, %B436.i.i.i.i ]
  %.50.05.i.i.i.i = phi i64 [ 0, %B126.lr.ph.i.i.i.i ], [ %.1218.i.i.i.i, %B436.i.i.i.i ]
  %.150.i.i.i.i = inttoptr i64 %position.2.06.i.i.i.i to ptr
  %.155.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 16
  %.156.i.i.i.i = load i64, ptr %.155.i.i.i.i, align 8, !noalias !60
  %.158.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.156.i.i.i.i
  store i64 0, ptr %.158.i.i.i.i, align 8, !noalias !60
  %.162.i.i.i.i = load i64, ptr %.150.i.i.i.i, align 8, !noalias !60
  %.163.i.i.i.i = icmp eq i64 %.162.i.i.i.i, 0
  br i1 %.163.i.i.i.i, label %B234.i.i.i.i, label %B436.i.i.i.i

B234.i.i.i.i:                                     ; preds = %B126.i.i.i.i
  %.13.i.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 40
  %.14.i.i.i219.i.i = load i64, ptr %.13.i.i.i.i.i, align 8, !noalias !65
  %.19.i.i.i220.i.i = add nsw i64 %position.2.06.i.i.i.i, 72
  %.24.i.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 48
  %.25.i.i.i.i.i = load i64, ptr %.24.i.i.i.i.i, align 8, !noalias !65
  %.26.not.i.i.i.i.i = icmp eq i64 %.25.i.i.i.i.i, 0
  %.29.i.i.i.i.i = shl nsw i64 %.14.i.i.i219.i.i, 3
  %.31.i.i.i.i.i = add nsw i64 %.29.i.i.i.i.i, %.19.i.i.i220.i.i
  %storemerge.i.i.i221.i.i = select i1 %.26.not.i.i.i.i.i, i64 0, i64 %.31.i.i.i.i.i
  %.43.i.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 32
  %.44.i.i.i.i.i = load i64, ptr %.43.i.i.i.i.i, align 8, !noalias !65
  %.45.i.i.i.i.i = call ptr @Py_IncRef(i64 %.44.i.i.i.i.i), !noalias !65
  %.48.i.i.i.i.i = load i64, ptr %.47.i.i.i.i.i, align 8, !noalias !65
  %.53.i.i.i.i.i = load i64, ptr %.43.i.i.i.i.i, align 8, !noalias !65
  %.57.i.i.i.i.i = trunc i64 %.14.i.i.i219.i.i to i32
  %.60.i.i.i.i.i = call i64 @guardlift_array_new(i64 %.48.i.i.i.i.i, i64 %.53.i.i.i.i.i, i32 %.57.i.i.i.i.i, i64 %.19.i.i.i220.i.i, i64 %storemerge.i.i.i221.i.i, i64 0, i32 0, i64 0), !noalias !65
  %.196.i.i.i.i = icmp eq i64 %.60.i.i.i.i.i, 0
  br i1 %.196.i.i.i.i, label %B278.i.i.i.i, label %B318.i.i222.i.i

B278.i.i.i.i:                                     ; preds = %B234.i.i.i.i
  %.981.not.i.i.i.i.i = icmp slt i64 %.50.05.i.i.i.i, 1
  br i1 %.981.not.i.i.i.i.i, label %executed.exit.i.i, label %B104.preheader.i.i.i.i.i

B104.preheader.i.i.i.i.i:                         ; preds = %B278.i.i.i.i
  %.11.i.i.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !68
  %.12.i.i.i.i.i = shl nsw i64 %.11.i.i.i.i.i, 3
  %.13.i74.i.i.i.i = add nsw i64 %.12.i.i.i.i.i, %.12.i
  br label %B104.i.i.i.i.i

B104.i.i.i.i.i:                                   ; preds = %B216.i.i.i.i.i, %B104.preheader.i.i.i.i.i
  %.1074.in.i.i.i.i.i = phi i64 [ %.1074.i.i.i.i.i, %B216.i.i.i.i.i ], [ %.50.05.i.i.i.i, %B104.preheader.i.i.i.i.i ]
  %position.2.03.i.i.i.i.i = phi i64 [ %.167.i.i.i.i.i, %B216.i.i.i.i.i ], [ %.13.i74.i.i.i.i, %B104.preheader.i.i.i.i.i ]
  %.1074.i.i.i.i.i = add nsw i64 %.1074.in.i.i.i.i.i, -1
  %.137.i.i.i.i.i = inttoptr i64 %position.2.03.i.i.i.i.i to ptr
  %.142.i.i.i.i.i = getelementptr i8, ptr %.137.i.i.i.i.i, i64 16
  %.143.i.i.i.i.i = load i64, ptr %.142.i.i.i.i.i, align 8, !noalias !68
  %.145.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i.i.i.i
  %.146.i.i.i.i.i = load i64, ptr %.145.i.i.i.i.i, align 8, !noalias !68
  %.151.not.i.i.i.i.i = icmp eq i64 %.146.i.i.i.i.i, 0
  br i1 %.151.not.i.i.i.i.i, label %B216.i.i.i.i.i, label %B186.i.i.i.i.i

B186.i.i.i.i.i:                                   ; preds = %B104.i.i.i.i.i
  %.154.i.i.i.i.i = call ptr @Py_DecRef(i64 %.146.i.i.i.i.i), !noalias !68
  br label %B216.i.i.i.i.i

B216.i.i.i.i.i:                                   ; preds = %B186.i.i.i.i.i, %B104.i.i.i.i.i
  %.161.i.i.i.i.i = getelementptr i8, ptr %.137.i.i.i.i.i, i64 8
  %.162.i.i.i224.i.i = load i64, ptr %.161.i.i.i.i.i, align 8, !noalias !68
  %.165.i.i.i.i.i = shl nsw i64 %.162.i.i.i224.i.i, 3
  %.167.i.i.i.i.i = add nsw i64 %.165.i.i.i.i.i, %position.2.03.i.i.i.i.i
  %.98.i.i.i.i.i = icmp samesign ugt i64 %.1074.in.i.i.i.i.i, 1
  br i1 %.98.i.i.i.i.i, label %B104.i.i.i.i.i, label %executed.exit.i.i

B318.i.i222.i.i:                                  ; preds = %B234.i.i.i.i
  %.249.i.i.i.i = load i64, ptr %.155.i.i.i.i, align 8, !noalias !60
  %.252.i.i223.i.i = getelementptr i64, ptr %.22.i.i, i64 %.249.i.i.i.i
  store i64 %.60.i.i.i.i.i, ptr %.252.i.i223.i.i, align 8, !noalias !60
  %.255.i.i.i.i = add nsw i64 %.60.i.i.i.i.i, 16
  %.258.i.i.i.i = inttoptr i64 %.255.i.i.i.i to ptr
  %.260.i.i.i.i = load i64, ptr %.258.i.i.i.i, align 8, !noalias !60
  %.262.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 24
  %.263.i.i.i.i = load i64, ptr %.262.i.i.i.i, align 8, !noalias !60
  %.265.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.263.i.i.i.i
  store i64 %.260.i.i.i.i, ptr %.265.i.i.i.i, align 8, !noalias !60
  br label %B436.i.i.i.i

B436.i.i.i.i:                                     ; preds = %B318.i.i222.i.i, %B126.i.i.i.i
  %.271.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 8
  %.272.i.i.i.i = load i64, ptr %.271.i.i.i.i, align 8, !noalias !60
  %.275.i.i.i.i = shl nsw i64 %.272.i.i.i.i, 3
  %.277.i.i.i.i = add nsw i64 %.275.i.i.i.i, %position.2.06.i.i.i.i
  %.121.i.i.i.i = add nuw i64 %.1218.i.i.i.i, 1
  %exitcond.not.i.i.i.i = icmp eq i64 %.1218.i.i.i.i, %.26.i.i.i.i
  br i1 %exitcond.not.i.i.i.i, label %B70.i.i.i, label %B126.i.i.i.i

B70.i.i.i:                                        ; preds = %B436.i.i.i.i, %B738.i.i
  %.73.i.i.i = getelementptr i8, ptr %.17.i, i64 72
  %.74.i.i.i = load i64, ptr %.73.i.i.i, align 8, !noalias !71
  %.75.not.i.i.i = icmp eq i64 %.74.i.i.i, 0
  br i1 %.75.not.i.i.i, label %B138.i.i.i, label %B108.i.i.i

B108.i.i.i:                                       ; preds = %B70.i.i.i
  %.81.i.i.i = call i64 @PyEval_SaveThread(), !noalias !71
  br label %B138.i.i.i

B138.i.i.i:                                       ; preds = %B108.i.i.i, %B70.i.i.i
  %storemerge.i185.i.i = phi i64 [ %.81.i.i.i, %B108.i.i.i ], [ 0, %B70.i.i.i ]
  %.23.i.i.i.i = load i64, ptr %.197.i.i, align 8, !noalias !72
  %.24.i.i.i.i = inttoptr i64 %.23.i.i.i.i to ptr
  %.5116.i.i.i.i = getelementptr i8, ptr %.17.i, i64 144
  %.5217.i.i.i.i = load i64, ptr %.5116.i.i.i.i, align 8, !noalias !72
  %.5419.i.i.i.i = icmp sgt i64 %.5217.i.i.i.i, 0
  br i1 %.5419.i.i.i.i, label %B190.preheader.preheader.i.i.i.i, label %run_steps.exit.i.i.i

B190.preheader.preheader.i.i.i.i:                 ; preds = %B138.i.i.i
  %.29.i.i.i.i = getelementptr i8, ptr %.17.i, i64 136
  %.30.i.i.i.i = load i64, ptr %.29.i.i.i.i, align 8, !noalias !72
  %.31.i.i195.i.i = shl nsw i64 %.30.i.i.i.i, 3
  %.32.i.i196.i.i = add nsw i64 %.31.i.i195.i.i, %.12.i
  %.16.i11.i.i.i = getelementptr i8, ptr %.17.i, i64 88
  %.17.i12.i.i.i = load i64, ptr %.16.i11.i.i.i, align 8, !noalias !72
  %16 = getelementptr i64, ptr %.22.i.i, i64 %.17.i12.i.i.i
  %.569.i.i.i.i = shl nsw i64 %.17.i12.i.i.i, 3
  %.571.i.i.i.i = add nsw i64 %.569.i.i.i.i, %frame_address.0.i
  %.234.i.i.i.i = getelementptr i8, ptr %.17.i, i64 272
  %.17.i.i114.i.i.i.i = inttoptr i64 %.571.i.i.i.i to ptr
  %.14.i.i13.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i56.i.i.i.i, i64 24
  %.18.i61.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i56.i.i.i.i, i64 32
  %.25.i64.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i56.i.i.i.i, i64 64
  %.29.i.i14.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i56.i.i.i.i, i64 72
  %.42.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i56.i.i.i.i, i64 80
  %.44.i.i15.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i56.i.i.i.i, i64 88
  %.46.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i56.i.i.i.i, i64 96
  %.9813.i.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i56.i.i.i.i, i64 48
  %.10014.i.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i56.i.i.i.i, i64 56
  %.144.i.i77.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i56.i.i.i.i, i64 16
  %.10.i.i.i.i.i = ptrtoint ptr %.9.i56.i.i.i.i to i64
  %.13.i.i16.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 24
  %.15.i.i.i197.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 32
  %.17.i53.i.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 40
  %.19.i.i17.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 64
  %.98.i.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 48
  %.100.i.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 56
  %.144.i.i.i.i198.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 16
  %.9.i.i.i.i.i = ptrtoint ptr %.8.i.i.i.i.i to i64
  %17 = shl i64 %.17.i12.i.i.i, 3
  %18 = add i64 %frame_address.0.i, %17
  %19 = add i64 %18, -56
  br label %B190.i.i.i.i

B190.i.i.i.i:                                     ; preds = %B190.i.i.i.i.backedge, %B190.preheader.preheader.i.i.i.i
  %.5287.i.i.i.i = phi i64 [ %.5217.i.i.i.i, %B190.preheader.preheader.i.i.i.i ], [ %.5287.i.i.i.i.be, %B190.i.i.i.i.backedge ]
  %position.4.0.i.i.i.i = phi i64 [ %.32.i.i196.i.i, %B190.preheader.preheader.i.i.i.i ], [ %position.4.0.i.i.i.i.be, %B190.i.i.i.i.backedge ]
  %number.6.0.i.i.i.i = phi i64 [ 0, %B190.preheader.preheader.i.i.i.i ], [ %number.6.0.i.i.i.i.be, %B190.i.i.i.i.backedge ]
  %.62.i.i.i.i = inttoptr i64 %position.4.0.i.i.i.i to ptr
  %.67.i.i.i.i = add nsw i64 %number.6.0.i.i.i.i, 1
  %.75.i.i.i.i = load i64, ptr %.62.i.i.i.i, align 8, !noalias !72
  switch i64 %.75.i.i.i.i, label %B1540.i.i.i.i [
    i64 0, label %B274.i.i.i.i
    i64 5, label %B708.i.i.i.i
    i64 10, label %B1008.i.i.i.i
    i64 11, label %B1090.i.i.i.i
    i64 12, label %B1236.i.i.i.i
    i64 13, label %B1390.i.i.i.i
  ]

B274.i.i.i.i:                                     ; preds = %B190.i.i.i.i
  %.17.i.i.i204.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.18.i.i.i205.i.i = load i64, ptr %.17.i.i.i204.i.i, align 8, !noalias !75
  %.1001.not.i.i.i.i.i = icmp slt i64 %.18.i.i.i205.i.i, 1
  br i1 %.1001.not.i.i.i.i.i, label %lay_out.exit.i.i.i.i, label %B58.i.i.i.i.i.preheader

B58.i.i.i.i.i.preheader:                          ; preds = %B274.i.i.i.i
  %xtraiter184 = and i64 %.18.i.i.i205.i.i, 1
  %20 = icmp eq i64 %.18.i.i.i205.i.i, 1
  br i1 %20, label %B58.i.i.i.i.i.epil.preheader, label %B58.i.i.i.i.i.preheader.new

B58.i.i.i.i.i.preheader.new:                      ; preds = %B58.i.i.i.i.i.preheader
  %unroll_iter187 = and i64 %.18.i.i.i205.i.i, 9223372036854775806
  br label %B58.i.i.i.i.i

B58.i.i.i.i.i:                                    ; preds = %B58.i.i.i.i.i, %B58.i.i.i.i.i.preheader.new
  %.42.02.i.i.i.i.i = phi i64 [ 0, %B58.i.i.i.i.i.preheader.new ], [ %.113.i.i.i.i.i.1, %B58.i.i.i.i.i ]
  %niter188 = phi i64 [ 0, %B58.i.i.i.i.i.preheader.new ], [ %niter188.next.1, %B58.i.i.i.i.i ]
  %.113.i.i.i.i.i = or disjoint i64 %.42.02.i.i.i.i.i, 1
  %.idx.i.i.i.i.i = shl i64 %.42.02.i.i.i.i.i, 4
  %21 = getelementptr i8, ptr %.62.i.i.i.i, i64 %.idx.i.i.i.i.i
  %.142.i.i22.i.i.i = getelementptr i8, ptr %21, i64 56
  %.143.i.i23.i.i.i = load i64, ptr %.142.i.i22.i.i.i, align 8, !noalias !75
  %.33.i.i.i.i.i.i = sub i64 0, %.143.i.i23.i.i.i
  %.37.i.i.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i.i.i.i.i
  %.20.i.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i23.i.i.i
  %.141.i.i.i.i.i.i = icmp slt i64 %.143.i.i23.i.i.i, 0
  %storemerge.in.i.i.i.i.i.i = select i1 %.141.i.i.i.i.i.i, ptr %.37.i.i.i.i.i.i, ptr %.20.i.i.i.i.i.i
  %storemerge.i.i.i.i.i.i = load i64, ptr %storemerge.in.i.i.i.i.i.i, align 8, !noalias !78
  %.172.i.i.i.i.i = getelementptr i8, ptr %21, i64 64
  %.173.i.i.i206.i.i = load i64, ptr %.172.i.i.i.i.i, align 8, !noalias !75
  %.174.i.i.i.i.i = add nsw i64 %.173.i.i.i206.i.i, %storemerge.i.i.i.i.i.i
  %.178.i.i.i.i.i = getelementptr i64, ptr %16, i64 %.42.02.i.i.i.i.i
  store i64 %.174.i.i.i.i.i, ptr %.178.i.i.i.i.i, align 8, !noalias !75
  %.113.i.i.i.i.i.1 = add nuw nsw i64 %.42.02.i.i.i.i.i, 2
  %.idx.i.i.i.i.i.1 = shl i64 %.113.i.i.i.i.i, 4
  %22 = getelementptr i8, ptr %.62.i.i.i.i, i64 %.idx.i.i.i.i.i.1
  %.142.i.i22.i.i.i.1 = getelementptr i8, ptr %22, i64 56
  %.143.i.i23.i.i.i.1 = load i64, ptr %.142.i.i22.i.i.i.1, align 8, !noalias !75
  %.33.i.i.i.i.i.i.1 = sub i64 0, %.143.i.i23.i.i.i.1
  %.37.i.i.i.i.i.i.1 = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i.i.i.i.i.1
  %.20.i.i.i.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i23.i.i.i.1
  %.141.i.i.i.i.i.i.1 = icmp slt i64 %.143.i.i23.i.i.i.1, 0
  %storemerge.in.i.i.i.i.i.i.1 = select i1 %.141.i.i.i.i.i.i.1, ptr %.37.i.i.i.i.i.i.1, ptr %.20.i.i.i.i.i.i.1
  %storemerge.i.i.i.i.i.i.1 = load i64, ptr %storemerge.in.i.i.i.i.i.i.1, align 8, !noalias !78
  %.172.i.i.i.i.i.1 = getelementptr i8, ptr %22, i64 64
  %.173.i.i.i206.i.i.1 = load i64, ptr %.172.i.i.i.i.i.1, align 8, !noalias !75
  %.174.i.i.i.i.i.1 = add nsw i64 %.173.i.i.i206.i.i.1, %storemerge.i.i.i.i.i.i.1
  %.178.i.i.i.i.i.1 = getelementptr i64, ptr %16, i64 %.113.i.i.i.i.i
  store i64 %.174.i.i.i.i.i.1, ptr %.178.i.i.i.i.i.1, align 8, !noalias !75
  %niter188.next.1 = add i64 %niter188, 2
  %niter188.ncmp.1 = icmp eq i64 %niter188.next.1, %unroll_iter187
  br i1 %niter188.ncmp.1, label %lay_out.exit.loopexit.i.i.i.i.unr-lcssa, label %B58.i.i.i.i.i

lay_out.exit.loopexit.i.i.i.i.unr-lcssa: ; preds = %B58.i.i.i.i.i
  %lcmp.mod185.not = icmp eq i64 %xtraiter184, 0
  br i1 %lcmp.mod185.not, label %lay_out.exit.loopexit.i.i.i.i, label %B58.i.i.i.i.i.epil.preheader

B58.i.i.i.i.i.epil.preheader:                     ; preds = %lay_out.exit.loopexit.i.i.i.i.unr-lcssa, %B58.i.i.i.i.i.preheader
  %.42.02.i.i.i.i.i.epil.init = phi i64 [ 0, %B58.i.i.i.i.i.preheader ], [ %.113.i.i.i.i.i.1, %lay_out.exit.loopexit.i.i.i.i.unr-lcssa ]
  %lcmp.mod186 = icmp ne i64 %xtraiter184, 0
  call void @llvm.assume(i1 %lcmp.mod186)
  %.idx.i.i.i.i.i.epil = shl i64 %.42.02.i.i.i.i.i.epil.init, 4
  %23 = getelementptr i8, ptr %.62.i.i.i.i, i64 %.idx.i.i.i.i.i.epil
  %.142.i.i22.i.i.i.epil = getelementptr i8, ptr %23, i64 56
  %.143.i.i23.i.i.i.epil = load i64, ptr %.142.i.i22.i.i.i.epil, align 8, !noalias !75
  %.33.i.i.i.i.i.i.epil = sub i64 0, %.143.i.i23.i.i.i.epil
  %.37.i.i.i.i.i.i.epil = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i.i.i.i.i.epil
  %.20.i.i.i.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i23.i.i.i.epil
  %.141.i.i.i.i.i.i.epil = icmp slt i64 %.143.i.i23.i.i.i.epil, 0
  %storemerge.in.i.i.i.i.i.i.epil = select i1 %.141.i.i.i.i.i.i.epil, ptr %.37.i.i.i.i.i.i.epil, ptr %.20.i.i.i.i.i.i.epil
  %storemerge.i.i.i.i.i.i.epil = load i64, ptr %storemerge.in.i.i.i.i.i.i.epil, align 8, !noalias !78
  %.172.i.i.i.i.i.epil = getelementptr i8, ptr %23, i64 64
  %.173.i.i.i206.i.i.epil = load i64, ptr %.172.i.i.i.i.i.epil, align 8, !noalias !75
  %.174.i.i.i.i.i.epil = add nsw i64 %.173.i.i.i206.i.i.epil, %storemerge.i.i.i.i.i.i.epil
  %.178.i.i.i.i.i.epil = getelementptr i64, ptr %16, i64 %.42.02.i.i.i.i.i.epil.init
  store i64 %.174.i.i.i.i.i.epil, ptr %.178.i.i.i.i.i.epil, align 8, !noalias !75
  br label %lay_out.exit.loopexit.i.i.i.i

lay_out.exit.loopexit.i.i.i.i: ; preds = %lay_out.exit.loopexit.i.i.i.i.unr-lcssa, %B58.i.i.i.i.i.epil.preheader
  %.111.pre.i.i.i.i = load i64, ptr %.17.i.i.i204.i.i, align 8, !noalias !72
  br label %lay_out.exit.i.i.i.i

lay_out.exit.i.i.i.i: ; preds = %lay_out.exit.loopexit.i.i.i.i, %B274.i.i.i.i
  %.111.i.i.i.i = phi i64 [ %.111.pre.i.i.i.i, %lay_out.exit.loopexit.i.i.i.i ], [ %.18.i.i.i205.i.i, %B274.i.i.i.i ]
  %.112.i.i.i.i = shl i64 %.111.i.i.i.i, 4
  %.114.i.i207.i.i = add i64 %position.4.0.i.i.i.i, 56
  %.116.i.i.i.i = add i64 %.114.i.i207.i.i, %.112.i.i.i.i
  %.128.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 40
  %.129.i.i.i.i = load i64, ptr %.128.i.i.i.i, align 8, !noalias !72
  %.130.i.i.i.i = icmp sgt i64 %.129.i.i.i.i, 0
  br i1 %.130.i.i.i.i, label %B420.i.i.i.i, label %B562.i.i.i.i

B420.i.i.i.i:                                     ; preds = %lay_out.exit.i.i.i.i
  %.134.i.i.i.i = load i64, ptr %.234.i.i.i.i, align 8, !noalias !72
  %.135.i.i.i.i = inttoptr i64 %.134.i.i.i.i to ptr
  %.136.i.i.i.i = getelementptr i8, ptr %.135.i.i.i.i, i64 8
  %.137.i.i.i.i = load i64, ptr %.136.i.i.i.i, align 8, !noalias !72
  %.138.i.i208.i.i = icmp sgt i64 %.137.i.i.i.i, 1
  br i1 %.138.i.i208.i.i, label %B502.i.i.i.i, label %B562.i.i.i.i

B502.i.i.i.i:                                     ; preds = %B420.i.i.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %.8.i.i.i.i.i), !noalias !72
  call void @llvm.lifetime.start.p0(ptr nonnull %.55.i.i.i.i.i), !noalias !72
  %.11.i.i24.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.12.i.i25.i.i.i = load i64, ptr %.11.i.i24.i.i.i, align 8, !noalias !81
  store i64 %.12.i.i25.i.i.i, ptr %.13.i.i16.i.i.i, align 8, !noalias !81
  store i64 %.116.i.i.i.i, ptr %.15.i.i.i197.i.i, align 32, !noalias !81
  store i64 %.571.i.i.i.i, ptr %.17.i53.i.i.i.i, align 8, !noalias !81
  store i64 0, ptr %.19.i.i17.i.i.i, align 64, !noalias !81
  %.22.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.23.i.i.i.i.i = load i64, ptr %.22.i.i.i.i.i, align 8, !noalias !81
  %.25.i.i26.i.i.i = load i64, ptr %.128.i.i.i.i, align 8, !noalias !81
  %.26.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 48
  %.27.i.i.i.i.i = load i64, ptr %.26.i.i.i.i.i, align 8, !noalias !81
  %.11.i.i.i.i209.i.i = load i64, ptr %.136.i.i.i.i, align 8, !noalias !84
  %.12.i.i.i.i210.i.i = mul nsw i64 %.11.i.i.i.i209.i.i, %.27.i.i.i.i.i
  %.13.i.i.i.i211.i.i = add i64 %.23.i.i.i.i.i, -1
  %.14.i.i.i.i.i.i = add i64 %.13.i.i.i.i211.i.i, %.25.i.i26.i.i.i
  %.17.i.i.i.i212.i.i = icmp eq i64 %.25.i.i26.i.i.i, 0
  br i1 %.17.i.i.i.i212.i.i, label %B0.endif.i.i.i.i.i.i, label %B0.else.i.i.i.i.i.i, !prof !87

B0.else.i.i.i.i.i.i:                              ; preds = %B502.i.i.i.i
  %.28.i.i.i.i213.i.i = icmp ne i64 %.14.i.i.i.i.i.i, -9223372036854775808
  %.29.i.i.i.i.i.i = icmp ne i64 %.25.i.i26.i.i.i, -1
  %.30.not.i.i.i.i.i.i = or i1 %.29.i.i.i.i.i.i, %.28.i.i.i.i213.i.i
  br i1 %.30.not.i.i.i.i.i.i, label %B0.else.if.i.i.i.i.i.i, label %B0.endif.i.i.i.i.i.i, !prof !88

B0.endif.i.i.i.i.i.i:                             ; preds = %B0.else.if.i.i.i.i.i.i, %B0.else.i.i.i.i.i.i, %B502.i.i.i.i
  %storemerge1.i.i.i.i.i.i = phi i64 [ 0, %B502.i.i.i.i ], [ %spec.select.i.i.i.i.i.i, %B0.else.if.i.i.i.i.i.i ], [ 0, %B0.else.i.i.i.i.i.i ]
  %.55.i.i.i.i.i.i = add i64 %.12.i.i.i.i210.i.i, -1
  %.56.i.i.i.i.i.i = add i64 %.55.i.i.i.i.i.i, %storemerge1.i.i.i.i.i.i
  %.59.i.i.i.i.i.i = icmp eq i64 %.12.i.i.i.i210.i.i, 0
  br i1 %.59.i.i.i.i.i.i, label %B0.endif.endif.thread.i.i.i.i.i.i, label %B0.endif.else.i.i.i.i.i.i, !prof !87

B0.else.if.i.i.i.i.i.i:                           ; preds = %B0.else.i.i.i.i.i.i
  %.33.i.i54.i.i.i.i = sdiv i64 %.14.i.i.i.i.i.i, %.25.i.i26.i.i.i
  %.34.i.i.i.i.i.i = srem i64 %.14.i.i.i.i.i.i, %.25.i.i26.i.i.i
  %.35.i.i.i.i.i.i = xor i64 %.34.i.i.i.i.i.i, %.25.i.i26.i.i.i
  %.36.i.i.i.i214.i.i = icmp slt i64 %.35.i.i.i.i.i.i, 0
  %.37.i.i55.i.i.i.i = icmp ne i64 %.34.i.i.i.i.i.i, 0
  %.38.i.i.i.i.i.i = and i1 %.37.i.i55.i.i.i.i, %.36.i.i.i.i214.i.i
  %.43.i.i.i.i.i.i = sext i1 %.38.i.i.i.i.i.i to i64
  %spec.select.i.i.i.i.i.i = add i64 %.33.i.i54.i.i.i.i, %.43.i.i.i.i.i.i
  br label %B0.endif.i.i.i.i.i.i

B0.endif.else.i.i.i.i.i.i:                        ; preds = %B0.endif.i.i.i.i.i.i
  %.70.i.i.i.i.i.i = icmp ne i64 %.56.i.i.i.i.i.i, -9223372036854775808
  %.71.i.i.i.i.i.i = icmp ne i64 %.12.i.i.i.i210.i.i, -1
  %.72.not.i.i.i.i.i.i = or i1 %.71.i.i.i.i.i.i, %.70.i.i.i.i.i.i
  br i1 %.72.not.i.i.i.i.i.i, label %B0.endif.endif.i.i.i.i.i.i, label %B0.endif.endif.thread.i.i.i.i.i.i, !prof !88

B0.endif.endif.thread.i.i.i.i.i.i:                ; preds = %B0.endif.else.i.i.i.i.i.i, %B0.endif.i.i.i.i.i.i
  store i64 %.23.i.i.i.i.i, ptr %.98.i.i.i.i.i.i, align 16, !noalias !84
  store i64 0, ptr %.100.i.i.i.i.i.i, align 8, !noalias !84
  br label %share_kernel.exit.i.i.i.i

B0.endif.endif.i.i.i.i.i.i:                       ; preds = %B0.endif.else.i.i.i.i.i.i
  %.75.i.i.i.i.i.i = sdiv i64 %.56.i.i.i.i.i.i, %.12.i.i.i.i210.i.i
  %.76.i.i.i.i.i.i = srem i64 %.56.i.i.i.i.i.i, %.12.i.i.i.i210.i.i
  %.77.i.i.i.i.i.i = xor i64 %.76.i.i.i.i.i.i, %.12.i.i.i.i210.i.i
  %.78.i.i.i.i.i.i = icmp slt i64 %.77.i.i.i.i.i.i, 0
  %.79.i.i.i.i.i.i = icmp ne i64 %.76.i.i.i.i.i.i, 0
  %.80.i.i.i.i.i.i = and i1 %.79.i.i.i.i.i.i, %.78.i.i.i.i.i.i
  %.85.i.i.i.i.i.i = sext i1 %.80.i.i.i.i.i.i to i64
  %spec.select6.i.i.i.i.i.i = add i64 %.75.i.i.i.i.i.i, %.85.i.i.i.i.i.i
  %24 = mul nsw i64 %spec.select6.i.i.i.i.i.i, %.25.i.i26.i.i.i
  store i64 %.23.i.i.i.i.i, ptr %.98.i.i.i.i.i.i, align 16, !noalias !84
  store i64 %24, ptr %.100.i.i.i.i.i.i, align 8, !noalias !84
  %.103.i.i.i.i.i.i = add i64 %24, %.13.i.i.i.i211.i.i
  %.106.i.i.i.i.i.i = icmp eq i64 %24, 0
  br i1 %.106.i.i.i.i.i.i, label %share_kernel.exit.i.i.i.i, label %B0.endif.endif.else.i.i.i.i.i.i, !prof !89

B0.endif.endif.else.i.i.i.i.i.i:                  ; preds = %B0.endif.endif.i.i.i.i.i.i
  %.117.i.i.i.i.i.i = icmp ne i64 %.103.i.i.i.i.i.i, -9223372036854775808
  %.118.i.i.i.i.i.i = icmp ne i64 %24, -1
  %.119.not.i.i.i.i.i.i = or i1 %.118.i.i.i.i.i.i, %.117.i.i.i.i.i.i
  br i1 %.119.not.i.i.i.i.i.i, label %B0.endif.endif.else.if.i.i.i.i.i.i, label %share_kernel.exit.i.i.i.i, !prof !88

B0.endif.endif.else.if.i.i.i.i.i.i:               ; preds = %B0.endif.endif.else.i.i.i.i.i.i
  %.122.i.i.i.i.i.i = sdiv i64 %.103.i.i.i.i.i.i, %24
  %.123.i.i.i.i.i.i = srem i64 %.103.i.i.i.i.i.i, %24
  %.124.i.i.i.i.i.i = xor i64 %.123.i.i.i.i.i.i, %24
  %.125.i.i.i.i.i.i = icmp slt i64 %.124.i.i.i.i.i.i, 0
  %.126.i.i.i.i.i.i = icmp ne i64 %.123.i.i.i.i.i.i, 0
  %.127.i.i.i.i.i.i = and i1 %.126.i.i.i.i.i.i, %.125.i.i.i.i.i.i
  %.132.i.i.i.i.i.i = sext i1 %.127.i.i.i.i.i.i to i64
  %spec.select7.i.i.i.i.i.i = add i64 %.122.i.i.i.i.i.i, %.132.i.i.i.i.i.i
  br label %share_kernel.exit.i.i.i.i

share_kernel.exit.i.i.i.i: ; preds = %B0.endif.endif.else.if.i.i.i.i.i.i, %B0.endif.endif.else.i.i.i.i.i.i, %B0.endif.endif.i.i.i.i.i.i, %B0.endif.endif.thread.i.i.i.i.i.i
  %storemerge5.i.i.i.i.i.i = phi i64 [ 0, %B0.endif.endif.i.i.i.i.i.i ], [ %spec.select7.i.i.i.i.i.i, %B0.endif.endif.else.if.i.i.i.i.i.i ], [ 0, %B0.endif.endif.else.i.i.i.i.i.i ], [ 0, %B0.endif.endif.thread.i.i.i.i.i.i ]
  store i64 %storemerge5.i.i.i.i.i.i, ptr %.144.i.i.i.i198.i.i, align 16, !noalias !84
  store i64 0, ptr %.55.i.i.i.i.i, align 8, !noalias !81
  call fastcc void @run_job(ptr nonnull %.55.i.i.i.i.i, i64 %.134.i.i.i.i, i64 %.9.i.i.i.i.i)
  %.69.i.i.i.i.i = load i64, ptr %.55.i.i.i.i.i, align 8, !noalias !81
  call void @llvm.lifetime.end.p0(ptr nonnull %.8.i.i.i.i.i), !noalias !72
  call void @llvm.lifetime.end.p0(ptr nonnull %.55.i.i.i.i.i), !noalias !72
  br label %B644.i.i.i.i

B562.i.i.i.i:                                     ; preds = %B420.i.i.i.i, %lay_out.exit.i.i.i.i
  %.180.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.181.i.i.i.i = load i64, ptr %.180.i.i.i.i, align 8, !noalias !72
  %.183.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.184.i.i.i.i = load i64, ptr %.183.i.i.i.i, align 8, !noalias !72
  %.187.i.i.i.i = inttoptr i64 %.181.i.i.i.i to ptr
  %.188.i.i.i.i = call i64 %.187.i.i.i.i(i64 %.571.i.i.i.i, i64 %.116.i.i.i.i, i64 0, i64 %.184.i.i.i.i), !noalias !72
  br label %B644.i.i.i.i

B644.i.i.i.i:                                     ; preds = %B562.i.i.i.i, %share_kernel.exit.i.i.i.i
  %storemerge23.i.i.i.i = phi i64 [ %.188.i.i.i.i, %B562.i.i.i.i ], [ %.69.i.i.i.i.i, %share_kernel.exit.i.i.i.i ]
  %.197.not.i.i.i.i = icmp eq i64 %storemerge23.i.i.i.i, 0
  br i1 %.197.not.i.i.i.i, label %B1574.i.i.i.i, label %run_steps.exit.i.i.i

B708.i.i.i.i:                                     ; preds = %B190.i.i.i.i
  %.229.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 48
  %.230.i.i.i.i = load i64, ptr %.229.i.i.i.i, align 8, !noalias !72
  %.231.i.i.i.i = icmp sgt i64 %.230.i.i.i.i, 0
  br i1 %.231.i.i.i.i, label %B742.i.i.i.i, label %B906.i.i.i.i

B742.i.i.i.i:                                     ; preds = %B708.i.i.i.i
  %.235.i.i.i.i = load i64, ptr %.234.i.i.i.i, align 8, !noalias !72
  %.236.i.i.i.i = inttoptr i64 %.235.i.i.i.i to ptr
  %.237.i.i.i.i = getelementptr i8, ptr %.236.i.i.i.i, i64 8
  %.238.i.i.i.i = load i64, ptr %.237.i.i.i.i, align 8, !noalias !72
  %.239.i.i.i.i = icmp sgt i64 %.238.i.i.i.i, 1
  br i1 %.239.i.i.i.i, label %B824.i.i.i.i, label %B906.i.i.i.i

B824.i.i.i.i:                                     ; preds = %B742.i.i.i.i
  %.247.i.i.i.i = load i64, ptr %.197.i.i, align 8, !noalias !72
  call void @llvm.lifetime.start.p0(ptr nonnull %.9.i56.i.i.i.i), !noalias !72
  call void @llvm.lifetime.start.p0(ptr nonnull %.80.i.i.i.i.i), !noalias !72
  %.12.i58.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.13.i59.i.i.i.i = load i64, ptr %.12.i58.i.i.i.i, align 8, !noalias !90
  store i64 %.13.i59.i.i.i.i, ptr %.14.i.i13.i.i.i, align 8, !noalias !90
  %.17.i60.i.i.i.i = add i64 %position.4.0.i.i.i.i, 64
  store i64 %.17.i60.i.i.i.i, ptr %.18.i61.i.i.i.i, align 32, !noalias !90
  %.20.i.i.i202.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 40
  %.21.i.i.i.i.i = load i64, ptr %.20.i.i.i202.i.i, align 8, !noalias !90
  %.22.i62.i.i.i.i = shl i64 %.21.i.i.i.i.i, 3
  %.24.i63.i.i.i.i = add i64 %.22.i62.i.i.i.i, %.17.i60.i.i.i.i
  store i64 %.24.i63.i.i.i.i, ptr %.25.i64.i.i.i.i, align 64, !noalias !90
  %.27.i65.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.28.i.i.i.i.i = load i64, ptr %.27.i65.i.i.i.i, align 8, !noalias !90
  store i64 %.28.i.i.i.i.i, ptr %.29.i.i14.i.i.i, align 8, !noalias !90
  %.33.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.34.i.i.i.i.i = load i64, ptr %.33.i.i.i.i.i, align 8, !noalias !90
  %.35.i.i.i.i.i = shl nsw i64 %.34.i.i.i.i.i, 3
  %.38.i.i.i.i.i = shl nsw i64 %.28.i.i.i.i.i, 1
  %.39.i.i.i.i.i = or disjoint i64 %.38.i.i.i.i.i, 1
  %.40.i.i.i.i.i = mul nsw i64 %.35.i.i.i.i.i, %.39.i.i.i.i.i
  %.41.i.i.i.i.i = add nsw i64 %.40.i.i.i.i.i, %.24.i63.i.i.i.i
  store i64 %.41.i.i.i.i.i, ptr %.42.i.i.i.i.i, align 16, !noalias !90
  store i64 %frame_address.0.i, ptr %.44.i.i15.i.i.i, align 8, !noalias !90
  store i64 %.247.i.i.i.i, ptr %.46.i.i.i.i.i, align 32, !noalias !90
  %.50.i.i.i.i.i = load i64, ptr %.229.i.i.i.i, align 8, !noalias !90
  %.51.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 56
  %.52.i.i.i.i.i = load i64, ptr %.51.i.i.i.i.i, align 8, !noalias !90
  %.11.i.i68.i.i.i.i = load i64, ptr %.237.i.i.i.i, align 8, !noalias !93
  %.12.i.i69.i.i.i.i = mul nsw i64 %.11.i.i68.i.i.i.i, %.52.i.i.i.i.i
  %.55.i.i70.i.i.i.i = add i64 %.50.i.i.i.i.i, -1
  %.56.i.i71.i.i.i.i = add i64 %.12.i.i69.i.i.i.i, %.55.i.i70.i.i.i.i
  %.59.i.i72.i.i.i.i = icmp eq i64 %.12.i.i69.i.i.i.i, 0
  br i1 %.59.i.i72.i.i.i.i, label %B0.endif.endif.thread.i.i103.i.i.i.i, label %B0.endif.else.i.i73.i.i.i.i, !prof !87

B0.endif.endif.thread.i.i103.i.i.i.i:             ; preds = %B824.i.i.i.i
  store i64 %.50.i.i.i.i.i, ptr %.9813.i.i.i.i.i.i, align 16, !noalias !93
  store i64 0, ptr %.10014.i.i.i.i.i.i, align 8, !noalias !93
  br label %B944.i.i.i.i

B0.endif.else.i.i73.i.i.i.i:                      ; preds = %B824.i.i.i.i
  %.70.i.i74.i.i.i.i = icmp ne i64 %.56.i.i71.i.i.i.i, -9223372036854775808
  %.71.i.i75.i.i.i.i = icmp ne i64 %.12.i.i69.i.i.i.i, -1
  %.72.not.i.i76.i.i.i.i = or i1 %.71.i.i75.i.i.i.i, %.70.i.i74.i.i.i.i
  br i1 %.72.not.i.i76.i.i.i.i, label %B0.endif.else.if.i.i.i.i.i.i, label %B0.endif.endif.thread11.i.i.i.i.i.i, !prof !88

B0.endif.endif.thread11.i.i.i.i.i.i:              ; preds = %B0.endif.else.i.i73.i.i.i.i
  store i64 %.50.i.i.i.i.i, ptr %.9813.i.i.i.i.i.i, align 16, !noalias !93
  store i64 0, ptr %.10014.i.i.i.i.i.i, align 8, !noalias !93
  br label %B944.i.i.i.i

B0.endif.else.if.i.i.i.i.i.i:                     ; preds = %B0.endif.else.i.i73.i.i.i.i
  %.75.i.i78.i.i.i.i = sdiv i64 %.56.i.i71.i.i.i.i, %.12.i.i69.i.i.i.i
  %.76.i.i79.i.i.i.i = srem i64 %.56.i.i71.i.i.i.i, %.12.i.i69.i.i.i.i
  %.77.i.i80.i.i.i.i = xor i64 %.76.i.i79.i.i.i.i, %.12.i.i69.i.i.i.i
  %.78.i.i81.i.i.i.i = icmp slt i64 %.77.i.i80.i.i.i.i, 0
  %.79.i.i82.i.i.i.i = icmp ne i64 %.76.i.i79.i.i.i.i, 0
  %.80.i.i83.i.i.i.i = and i1 %.79.i.i82.i.i.i.i, %.78.i.i81.i.i.i.i
  %.85.i.i84.i.i.i.i = sext i1 %.80.i.i83.i.i.i.i to i64
  %storemerge.i.i85.i.i.i.i = add i64 %.75.i.i78.i.i.i.i, %.85.i.i84.i.i.i.i
  store i64 %.50.i.i.i.i.i, ptr %.9813.i.i.i.i.i.i, align 16, !noalias !93
  store i64 %storemerge.i.i85.i.i.i.i, ptr %.10014.i.i.i.i.i.i, align 8, !noalias !93
  %.103.i.i88.i.i.i.i = add i64 %storemerge.i.i85.i.i.i.i, %.55.i.i70.i.i.i.i
  %.106.i.i89.i.i.i.i = icmp eq i64 %storemerge.i.i85.i.i.i.i, 0
  br i1 %.106.i.i89.i.i.i.i, label %B944.i.i.i.i, label %B0.endif.endif.else.i.i90.i.i.i.i, !prof !89

B0.endif.endif.else.i.i90.i.i.i.i:                ; preds = %B0.endif.else.if.i.i.i.i.i.i
  %.117.i.i91.i.i.i.i = icmp ne i64 %.103.i.i88.i.i.i.i, -9223372036854775808
  %.118.i.i92.i.i.i.i = icmp ne i64 %storemerge.i.i85.i.i.i.i, -1
  %.119.not.i.i93.i.i.i.i = or i1 %.118.i.i92.i.i.i.i, %.117.i.i91.i.i.i.i
  br i1 %.119.not.i.i93.i.i.i.i, label %B0.endif.endif.else.if.i.i94.i.i.i.i, label %B944.i.i.i.i, !prof !88

B0.endif.endif.else.if.i.i94.i.i.i.i:             ; preds = %B0.endif.endif.else.i.i90.i.i.i.i
  %.122.i.i95.i.i.i.i = sdiv i64 %.103.i.i88.i.i.i.i, %storemerge.i.i85.i.i.i.i
  %.123.i.i96.i.i.i.i = srem i64 %.103.i.i88.i.i.i.i, %storemerge.i.i85.i.i.i.i
  %.124.i.i97.i.i.i.i = xor i64 %.123.i.i96.i.i.i.i, %storemerge.i.i85.i.i.i.i
  %.125.i.i98.i.i.i.i = icmp slt i64 %.124.i.i97.i.i.i.i, 0
  %.126.i.i99.i.i.i.i = icmp ne i64 %.123.i.i96.i.i.i.i, 0
  %.127.i.i100.i.i.i.i = and i1 %.126.i.i99.i.i.i.i, %.125.i.i98.i.i.i.i
  %.132.i.i101.i.i.i.i = sext i1 %.127.i.i100.i.i.i.i to i64
  %spec.select.i.i102.i.i.i.i = add i64 %.122.i.i95.i.i.i.i, %.132.i.i101.i.i.i.i
  br label %B944.i.i.i.i

B906.i.i.i.i:                                     ; preds = %B742.i.i.i.i, %B708.i.i.i.i
  %.18.i105.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.19.i106.i.i.i.i = load i64, ptr %.18.i105.i.i.i.i, align 8, !noalias !96
  %.24.i107.i.i.i.i = add nsw i64 %position.4.0.i.i.i.i, 64
  %.43.i.i21.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.44.i110.i.i.i.i = load i64, ptr %.43.i.i21.i.i.i, align 8, !noalias !96
  %.1261.not.i.i.i.i.i = icmp slt i64 %.44.i110.i.i.i.i, 1
  br i1 %.1261.not.i.i.i.i.i, label %B1574.i.i.i.i, label %B194.lr.ph.i.i.i.i.i

B194.lr.ph.i.i.i.i.i:                             ; preds = %B906.i.i.i.i
  %.1352.i.i.i.i.i = add nsw i64 %.44.i110.i.i.i.i, -1
  %.34.i111.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 40
  %.35.i112.i.i.i.i = load i64, ptr %.34.i111.i.i.i.i, align 8, !noalias !96
  %.36.i.i.i.i.i = shl nsw i64 %.35.i112.i.i.i.i, 3
  %.38.i113.i.i.i.i = add nsw i64 %.36.i.i.i.i.i, %.24.i107.i.i.i.i
  %.1021.not.i.i.i.i.i.i = icmp slt i64 %.19.i106.i.i.i.i, 1
  %.195.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.235.i.i.i.i.i = shl i64 %.19.i106.i.i.i.i, 4
  %.236.i.i.i.i.i = or disjoint i64 %.235.i.i.i.i.i, 8
  br i1 %.1021.not.i.i.i.i.i.i, label %B194.us.i.i.i.i.i, label %B194.i.i.i.i.i.preheader

B194.i.i.i.i.i.preheader:                         ; preds = %B194.lr.ph.i.i.i.i.i
  %xtraiter179 = and i64 %.19.i106.i.i.i.i, 1
  %25 = icmp eq i64 %.19.i106.i.i.i.i, 1
  %unroll_iter182 = and i64 %.19.i106.i.i.i.i, 9223372036854775806
  %lcmp.mod180.not = icmp eq i64 %xtraiter179, 0
  %lcmp.mod181 = icmp ne i64 %xtraiter179, 0
  br label %B194.i.i.i.i.i

B194.us.i.i.i.i.i:                                ; preds = %B194.lr.ph.i.i.i.i.i, %B352.us.i.i.i.i.i
  %.1354.us.i.i.i.i.i = phi i64 [ %.135.us.i.i.i.i.i, %B352.us.i.i.i.i.i ], [ %.1352.i.i.i.i.i, %B194.lr.ph.i.i.i.i.i ]
  %row_address.2.03.us.i.i.i.i.i = phi i64 [ %.239.us.i.i.i.i.i, %B352.us.i.i.i.i.i ], [ %.38.i113.i.i.i.i, %B194.lr.ph.i.i.i.i.i ]
  %.13.i.us.i.i.i.i.i = inttoptr i64 %row_address.2.03.us.i.i.i.i.i to ptr
  %.196.us.i.i.i.i.i = load i64, ptr %.195.i.i.i.i.i, align 8, !noalias !96
  %.200.us.i.i.i.i.i = load i64, ptr %.13.i.us.i.i.i.i.i, align 8, !noalias !96
  %.203.us.i.i.i.i.i = inttoptr i64 %.196.us.i.i.i.i.i to ptr
  %.204.us.i.i.i.i.i = call i64 %.203.us.i.i.i.i.i(i64 %.571.i.i.i.i, i64 %.24.i107.i.i.i.i, i64 0, i64 %.200.us.i.i.i.i.i), !noalias !96
  %.209.not.us.i.i.i.i.i = icmp eq i64 %.204.us.i.i.i.i.i, 0
  br i1 %.209.not.us.i.i.i.i.i, label %B352.us.i.i.i.i.i, label %run_steps.exit.i.i.i

B352.us.i.i.i.i.i:                                ; preds = %B194.us.i.i.i.i.i
  %.239.us.i.i.i.i.i = add nsw i64 %row_address.2.03.us.i.i.i.i.i, %.236.i.i.i.i.i
  %.126.us.i.i.i.i.i = icmp sgt i64 %.1354.us.i.i.i.i.i, 0
  %.135.us.i.i.i.i.i = add nsw i64 %.1354.us.i.i.i.i.i, -1
  br i1 %.126.us.i.i.i.i.i, label %B194.us.i.i.i.i.i, label %B1574.i.i.i.i

B194.i.i.i.i.i:                                   ; preds = %B194.i.i.i.i.i.preheader, %B352.i.i.i.i.i
  %.1354.i.i.i.i.i = phi i64 [ %.135.i.i.i.i.i, %B352.i.i.i.i.i ], [ %.1352.i.i.i.i.i, %B194.i.i.i.i.i.preheader ]
  %row_address.2.03.i.i.i.i.i = phi i64 [ %.239.i.i.i.i.i, %B352.i.i.i.i.i ], [ %.38.i113.i.i.i.i, %B194.i.i.i.i.i.preheader ]
  %.13.i.i115.i.i.i.i = inttoptr i64 %row_address.2.03.i.i.i.i.i to ptr
  br i1 %25, label %B96.i.i.i.i.i.i.epil.preheader, label %B96.i.i.i.i.i.i

B96.i.i.i.i.i.i:                                  ; preds = %B194.i.i.i.i.i, %B96.i.i.i.i.i.i
  %.44.02.i.i.i.i.i.i = phi i64 [ %.115.i.i.i.i.i.i.1, %B96.i.i.i.i.i.i ], [ 0, %B194.i.i.i.i.i ]
  %niter183 = phi i64 [ %niter183.next.1, %B96.i.i.i.i.i.i ], [ 0, %B194.i.i.i.i.i ]
  %.115.i.i.i.i.i.i = or disjoint i64 %.44.02.i.i.i.i.i.i, 1
  %.idx.i.i.i.i.i.i = shl i64 %.44.02.i.i.i.i.i.i, 4
  %26 = getelementptr i8, ptr %.13.i.i115.i.i.i.i, i64 %.idx.i.i.i.i.i.i
  %.144.i.i116.i.i.i.i = getelementptr i8, ptr %26, i64 8
  %.145.i.i.i.i.i.i = load i64, ptr %.144.i.i116.i.i.i.i, align 8, !noalias !99
  %.33.i.i.i.i.i.i.i = sub i64 0, %.145.i.i.i.i.i.i
  %.37.i.i.i.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i.i.i.i.i.i
  %.20.i.i.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.145.i.i.i.i.i.i
  %.141.i.i.i.i.i.i.i = icmp slt i64 %.145.i.i.i.i.i.i, 0
  %storemerge.in.i.i.i.i.i.i.i = select i1 %.141.i.i.i.i.i.i.i, ptr %.37.i.i.i.i.i.i.i, ptr %.20.i.i.i.i.i.i.i
  %storemerge.i.i.i.i.i.i.i = load i64, ptr %storemerge.in.i.i.i.i.i.i.i, align 8, !noalias !102
  %.175.i.i.i.i.i.i = getelementptr i8, ptr %26, i64 16
  %.176.i.i.i.i.i.i = load i64, ptr %.175.i.i.i.i.i.i, align 8, !noalias !99
  %.177.i.i.i.i.i.i = add nsw i64 %.176.i.i.i.i.i.i, %storemerge.i.i.i.i.i.i.i
  %.179.i.i.i.i.i.i = getelementptr i64, ptr %.17.i.i114.i.i.i.i, i64 %.44.02.i.i.i.i.i.i
  store i64 %.177.i.i.i.i.i.i, ptr %.179.i.i.i.i.i.i, align 8, !noalias !99
  %.115.i.i.i.i.i.i.1 = add nuw nsw i64 %.44.02.i.i.i.i.i.i, 2
  %.idx.i.i.i.i.i.i.1 = shl i64 %.115.i.i.i.i.i.i, 4
  %27 = getelementptr i8, ptr %.13.i.i115.i.i.i.i, i64 %.idx.i.i.i.i.i.i.1
  %.144.i.i116.i.i.i.i.1 = getelementptr i8, ptr %27, i64 8
  %.145.i.i.i.i.i.i.1 = load i64, ptr %.144.i.i116.i.i.i.i.1, align 8, !noalias !99
  %.33.i.i.i.i.i.i.i.1 = sub i64 0, %.145.i.i.i.i.i.i.1
  %.37.i.i.i.i.i.i.i.1 = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i.i.i.i.i.i.1
  %.20.i.i.i.i.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.145.i.i.i.i.i.i.1
  %.141.i.i.i.i.i.i.i.1 = icmp slt i64 %.145.i.i.i.i.i.i.1, 0
  %storemerge.in.i.i.i.i.i.i.i.1 = select i1 %.141.i.i.i.i.i.i.i.1, ptr %.37.i.i.i.i.i.i.i.1, ptr %.20.i.i.i.i.i.i.i.1
  %storemerge.i.i.i.i.i.i.i.1 = load i64, ptr %storemerge.in.i.i.i.i.i.i.i.1, align 8, !noalias !102
  %.175.i.i.i.i.i.i.1 = getelementptr i8, ptr %27, i64 16
  %.176.i.i.i.i.i.i.1 = load i64, ptr %.175.i.i.i.i.i.i.1, align 8, !noalias !99
  %.177.i.i.i.i.i.i.1 = add nsw i64 %.176.i.i.i.i.i.i.1, %storemerge.i.i.i.i.i.i.i.1
  %.179.i.i.i.i.i.i.1 = getelementptr i64, ptr %.17.i.i114.i.i.i.i, i64 %.115.i.i.i.i.i.i
  store i64 %.177.i.i.i.i.i.i.1, ptr %.179.i.i.i.i.i.i.1, align 8, !noalias !99
  %niter183.next.1 = add i64 %niter183, 2
  %niter183.ncmp.1 = icmp eq i64 %niter183.next.1, %unroll_iter182
  br i1 %niter183.ncmp.1, label %bind_row.exit.loopexit.i.i.i.i.i.unr-lcssa, label %B96.i.i.i.i.i.i

bind_row.exit.loopexit.i.i.i.i.i.unr-lcssa: ; preds = %B96.i.i.i.i.i.i
  br i1 %lcmp.mod180.not, label %bind_row.exit.loopexit.i.i.i.i.i, label %B96.i.i.i.i.i.i.epil.preheader

B96.i.i.i.i.i.i.epil.preheader:                   ; preds = %bind_row.exit.loopexit.i.i.i.i.i.unr-lcssa, %B194.i.i.i.i.i
  %.44.02.i.i.i.i.i.i.epil.init = phi i64 [ 0, %B194.i.i.i.i.i ], [ %.115.i.i.i.i.i.i.1, %bind_row.exit.loopexit.i.i.i.i.i.unr-lcssa ]
  call void @llvm.assume(i1 %lcmp.mod181)
  %.idx.i.i.i.i.i.i.epil = shl i64 %.44.02.i.i.i.i.i.i.epil.init, 4
  %28 = getelementptr i8, ptr %.13.i.i115.i.i.i.i, i64 %.idx.i.i.i.i.i.i.epil
  %.144.i.i116.i.i.i.i.epil = getelementptr i8, ptr %28, i64 8
  %.145.i.i.i.i.i.i.epil = load i64, ptr %.144.i.i116.i.i.i.i.epil, align 8, !noalias !99
  %.33.i.i.i.i.i.i.i.epil = sub i64 0, %.145.i.i.i.i.i.i.epil
  %.37.i.i.i.i.i.i.i.epil = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i.i.i.i.i.i.epil
  %.20.i.i.i.i.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.145.i.i.i.i.i.i.epil
  %.141.i.i.i.i.i.i.i.epil = icmp slt i64 %.145.i.i.i.i.i.i.epil, 0
  %storemerge.in.i.i.i.i.i.i.i.epil = select i1 %.141.i.i.i.i.i.i.i.epil, ptr %.37.i.i.i.i.i.i.i.epil, ptr %.20.i.i.i.i.i.i.i.epil
  %storemerge.i.i.i.i.i.i.i.epil = load i64, ptr %storemerge.in.i.i.i.i.i.i.i.epil, align 8, !noalias !102
  %.175.i.i.i.i.i.i.epil = getelementptr i8, ptr %28, i64 16
  %.176.i.i.i.i.i.i.epil = load i64, ptr %.175.i.i.i.i.i.i.epil, align 8, !noalias !99
  %.177.i.i.i.i.i.i.epil = add nsw i64 %.176.i.i.i.i.i.i.epil, %storemerge.i.i.i.i.i.i.i.epil
  %.179.i.i.i.i.i.i.epil = getelementptr i64, ptr %.17.i.i114.i.i.i.i, i64 %.44.02.i.i.i.i.i.i.epil.init
  store i64 %.177.i.i.i.i.i.i.epil, ptr %.179.i.i.i.i.i.i.epil, align 8, !noalias !99
  br label %bind_row.exit.loopexit.i.i.i.i.i

bind_row.exit.loopexit.i.i.i.i.i: ; preds = %bind_row.exit.loopexit.i.i.i.i.i.unr-lcssa, %B96.i.i.i.i.i.i.epil.preheader
  %.196.i.i.i.i.i = load i64, ptr %.195.i.i.i.i.i, align 8, !noalias !96
  %.200.i.i.i.i.i = load i64, ptr %.13.i.i115.i.i.i.i, align 8, !noalias !96
  %.203.i.i.i.i.i = inttoptr i64 %.196.i.i.i.i.i to ptr
  %.204.i.i.i.i.i = call i64 %.203.i.i.i.i.i(i64 %.571.i.i.i.i, i64 %.24.i107.i.i.i.i, i64 0, i64 %.200.i.i.i.i.i), !noalias !96
  %.209.not.i.i.i.i.i = icmp eq i64 %.204.i.i.i.i.i, 0
  br i1 %.209.not.i.i.i.i.i, label %B352.i.i.i.i.i, label %run_steps.exit.i.i.i

B352.i.i.i.i.i:                                   ; preds = %bind_row.exit.loopexit.i.i.i.i.i
  %.239.i.i.i.i.i = add nsw i64 %row_address.2.03.i.i.i.i.i, %.236.i.i.i.i.i
  %.126.i.i.i.i.i = icmp sgt i64 %.1354.i.i.i.i.i, 0
  %.135.i.i.i.i.i = add nsw i64 %.1354.i.i.i.i.i, -1
  br i1 %.126.i.i.i.i.i, label %B194.i.i.i.i.i, label %B1574.i.i.i.i

B944.i.i.i.i:                                     ; preds = %B0.endif.endif.else.if.i.i94.i.i.i.i, %B0.endif.endif.else.i.i90.i.i.i.i, %B0.endif.else.if.i.i.i.i.i.i, %B0.endif.endif.thread11.i.i.i.i.i.i, %B0.endif.endif.thread.i.i103.i.i.i.i
  %storemerge3.i.i.i.i.i.i = phi i64 [ 0, %B0.endif.endif.thread11.i.i.i.i.i.i ], [ 0, %B0.endif.endif.thread.i.i103.i.i.i.i ], [ 0, %B0.endif.else.if.i.i.i.i.i.i ], [ %spec.select.i.i102.i.i.i.i, %B0.endif.endif.else.if.i.i94.i.i.i.i ], [ 0, %B0.endif.endif.else.i.i90.i.i.i.i ]
  store i64 %storemerge3.i.i.i.i.i.i, ptr %.144.i.i77.i.i.i.i, align 16, !noalias !93
  store i64 0, ptr %.80.i.i.i.i.i, align 8, !noalias !90
  call fastcc void @run_job(ptr nonnull %.80.i.i.i.i.i, i64 %.235.i.i.i.i, i64 %.10.i.i.i.i.i)
  %.94.i.i.i203.i.i = load i64, ptr %.80.i.i.i.i.i, align 8, !noalias !90
  call void @llvm.lifetime.end.p0(ptr nonnull %.9.i56.i.i.i.i), !noalias !72
  call void @llvm.lifetime.end.p0(ptr nonnull %.80.i.i.i.i.i), !noalias !72
  %.312.not.i.i.i.i = icmp eq i64 %.94.i.i.i203.i.i, 0
  br i1 %.312.not.i.i.i.i, label %B1574.i.i.i.i, label %run_steps.exit.i.i.i

B1008.i.i.i.i:                                    ; preds = %B190.i.i.i.i
  %.14.i117.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.15.i118.i.i.i.i = load i64, ptr %.14.i117.i.i.i.i, align 8, !noalias !105
  %.17.i119.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.18.i120.i.i.i.i = load i64, ptr %.17.i119.i.i.i.i, align 8, !noalias !105
  %.20.i121.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.18.i120.i.i.i.i
  store i64 %.15.i118.i.i.i.i, ptr %.20.i121.i.i.i.i, align 8, !noalias !105
  %.26.i122.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.27.i123.i.i.i.i = load i64, ptr %.26.i122.i.i.i.i, align 8, !noalias !105
  %.1091.not.i.i.i.i.i = icmp slt i64 %.27.i123.i.i.i.i, 1
  br i1 %.1091.not.i.i.i.i.i, label %B1574.i.i.i.i, label %B126.i.i.i.i.i.preheader

B126.i.i.i.i.i.preheader:                         ; preds = %B1008.i.i.i.i
  %xtraiter174 = and i64 %.27.i123.i.i.i.i, 1
  %29 = icmp eq i64 %.27.i123.i.i.i.i, 1
  br i1 %29, label %B126.i.i.i.i.i.epil.preheader, label %B126.i.i.i.i.i.preheader.new

B126.i.i.i.i.i.preheader.new:                     ; preds = %B126.i.i.i.i.i.preheader
  %unroll_iter177 = and i64 %.27.i123.i.i.i.i, 9223372036854775806
  br label %B126.i.i.i.i.i

B126.i.i.i.i.i:                                   ; preds = %B126.i.i.i.i.i, %B126.i.i.i.i.i.preheader.new
  %at.2.03.i.i.i.i.i = phi i64 [ 5, %B126.i.i.i.i.i.preheader.new ], [ %.193.i.i.i.i.i.1, %B126.i.i.i.i.i ]
  %niter178 = phi i64 [ 0, %B126.i.i.i.i.i.preheader.new ], [ %niter178.next.1, %B126.i.i.i.i.i ]
  %30 = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.2.03.i.i.i.i.i
  %.151.i.i.i.i.i = getelementptr i8, ptr %30, i64 8
  %.152.i.i.i.i.i = load i64, ptr %.151.i.i.i.i.i, align 8, !noalias !105
  %.33.i.i124.i.i.i.i = sub i64 0, %.152.i.i.i.i.i
  %.37.i.i125.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i124.i.i.i.i
  %.20.i.i126.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.152.i.i.i.i.i
  %.141.i.i127.i.i.i.i = icmp slt i64 %.152.i.i.i.i.i, 0
  %storemerge.in.i.i128.i.i.i.i = select i1 %.141.i.i127.i.i.i.i, ptr %.37.i.i125.i.i.i.i, ptr %.20.i.i126.i.i.i.i
  %storemerge.i.i129.i.i.i.i = load i64, ptr %storemerge.in.i.i128.i.i.i.i, align 8, !noalias !108
  %.182.i.i.i200.i.i = getelementptr i8, ptr %30, i64 16
  %.183.i.i.i.i.i = load i64, ptr %.182.i.i.i200.i.i, align 8, !noalias !105
  %.184.i.i.i201.i.i = add nsw i64 %.183.i.i.i.i.i, %storemerge.i.i129.i.i.i.i
  %.188.i.i.i.i.i = load i64, ptr %30, align 8, !noalias !105
  %.190.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.188.i.i.i.i.i
  store i64 %.184.i.i.i201.i.i, ptr %.190.i.i.i.i.i, align 8, !noalias !105
  %31 = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.2.03.i.i.i.i.i
  %32 = getelementptr i8, ptr %31, i64 24
  %.151.i.i.i.i.i.1 = getelementptr i8, ptr %31, i64 32
  %.152.i.i.i.i.i.1 = load i64, ptr %.151.i.i.i.i.i.1, align 8, !noalias !105
  %.33.i.i124.i.i.i.i.1 = sub i64 0, %.152.i.i.i.i.i.1
  %.37.i.i125.i.i.i.i.1 = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i124.i.i.i.i.1
  %.20.i.i126.i.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.152.i.i.i.i.i.1
  %.141.i.i127.i.i.i.i.1 = icmp slt i64 %.152.i.i.i.i.i.1, 0
  %storemerge.in.i.i128.i.i.i.i.1 = select i1 %.141.i.i127.i.i.i.i.1, ptr %.37.i.i125.i.i.i.i.1, ptr %.20.i.i126.i.i.i.i.1
  %storemerge.i.i129.i.i.i.i.1 = load i64, ptr %storemerge.in.i.i128.i.i.i.i.1, align 8, !noalias !108
  %.182.i.i.i200.i.i.1 = getelementptr i8, ptr %31, i64 40
  %.183.i.i.i.i.i.1 = load i64, ptr %.182.i.i.i200.i.i.1, align 8, !noalias !105
  %.184.i.i.i201.i.i.1 = add nsw i64 %.183.i.i.i.i.i.1, %storemerge.i.i129.i.i.i.i.1
  %.188.i.i.i.i.i.1 = load i64, ptr %32, align 8, !noalias !105
  %.190.i.i.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.188.i.i.i.i.i.1
  store i64 %.184.i.i.i201.i.i.1, ptr %.190.i.i.i.i.i.1, align 8, !noalias !105
  %.193.i.i.i.i.i.1 = add nuw nsw i64 %at.2.03.i.i.i.i.i, 6
  %niter178.next.1 = add i64 %niter178, 2
  %niter178.ncmp.1.not = icmp eq i64 %niter178.next.1, %unroll_iter177
  br i1 %niter178.ncmp.1.not, label %B1574.i.i.i.i.loopexit151.unr-lcssa, label %B126.i.i.i.i.i

B1090.i.i.i.i:                                    ; preds = %B190.i.i.i.i
  %.11.i130.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.12.i131.i.i.i.i = load i64, ptr %.11.i130.i.i.i.i, align 8, !noalias !111
  %.14.i132.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.12.i131.i.i.i.i
  %.15.i133.i.i.i.i = load i64, ptr %.14.i132.i.i.i.i, align 8, !noalias !111
  %.16.i.i.i199.i.i = add nsw i64 %.15.i133.i.i.i.i, -1
  store i64 %.16.i.i.i199.i.i, ptr %.14.i132.i.i.i.i, align 8, !noalias !111
  %.23.i134.i.i.i.i = icmp slt i64 %.15.i133.i.i.i.i, 2
  br i1 %.23.i134.i.i.i.i, label %B1574.i.i.i.i, label %B96.i.i.i.i.i

B96.i.i.i.i.i:                                    ; preds = %B1090.i.i.i.i
  %.36.i135.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 40
  %.37.i.i.i.i.i = load i64, ptr %.36.i135.i.i.i.i, align 8, !noalias !111
  %.1193.not.i.i.i.i.i = icmp slt i64 %.37.i.i.i.i.i, 1
  br i1 %.1193.not.i.i.i.i.i, label %B240.i.i.i.i.i, label %B164.i.i.i.i.i.preheader

B164.i.i.i.i.i.preheader:                         ; preds = %B96.i.i.i.i.i
  %xtraiter168 = and i64 %.37.i.i.i.i.i, 1
  %33 = icmp eq i64 %.37.i.i.i.i.i, 1
  br i1 %33, label %B164.i.i.i.i.i.epil.preheader, label %B164.i.i.i.i.i.preheader.new

B164.i.i.i.i.i.preheader.new:                     ; preds = %B164.i.i.i.i.i.preheader
  %unroll_iter172 = and i64 %.37.i.i.i.i.i, 9223372036854775806
  br label %B164.i.i.i.i.i

B164.i.i.i.i.i:                                   ; preds = %B164.i.i.i.i.i, %B164.i.i.i.i.i.preheader.new
  %at.3.05.i.i.i.i.i = phi i64 [ 7, %B164.i.i.i.i.i.preheader.new ], [ %.174.i136.i.i.i.i.1, %B164.i.i.i.i.i ]
  %niter173 = phi i64 [ 0, %B164.i.i.i.i.i.preheader.new ], [ %niter173.next.1, %B164.i.i.i.i.i ]
  %.159.i.i.i.i.i = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.3.05.i.i.i.i.i
  %.160.i.i.i.i.i = load i64, ptr %.159.i.i.i.i.i, align 8, !noalias !111
  %.162.i.i19.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.160.i.i.i.i.i
  %.163.i.i.i.i.i = load i64, ptr %.162.i.i19.i.i.i, align 8, !noalias !111
  %.167.i.i20.i.i.i = getelementptr i8, ptr %.159.i.i.i.i.i, i64 8
  %.168.i.i.i.i.i = load i64, ptr %.167.i.i20.i.i.i, align 8, !noalias !111
  %.169.i.i.i.i.i = add nsw i64 %.168.i.i.i.i.i, %.163.i.i.i.i.i
  store i64 %.169.i.i.i.i.i, ptr %.162.i.i19.i.i.i, align 8, !noalias !111
  %34 = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.3.05.i.i.i.i.i
  %.159.i.i.i.i.i.1 = getelementptr i8, ptr %34, i64 16
  %.160.i.i.i.i.i.1 = load i64, ptr %.159.i.i.i.i.i.1, align 8, !noalias !111
  %.162.i.i19.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.160.i.i.i.i.i.1
  %.163.i.i.i.i.i.1 = load i64, ptr %.162.i.i19.i.i.i.1, align 8, !noalias !111
  %.167.i.i20.i.i.i.1 = getelementptr i8, ptr %34, i64 24
  %.168.i.i.i.i.i.1 = load i64, ptr %.167.i.i20.i.i.i.1, align 8, !noalias !111
  %.169.i.i.i.i.i.1 = add nsw i64 %.168.i.i.i.i.i.1, %.163.i.i.i.i.i.1
  store i64 %.169.i.i.i.i.i.1, ptr %.162.i.i19.i.i.i.1, align 8, !noalias !111
  %.174.i136.i.i.i.i.1 = add nuw nsw i64 %at.3.05.i.i.i.i.i, 4
  %niter173.next.1 = add i64 %niter173, 2
  %niter173.ncmp.1.not = icmp eq i64 %niter173.next.1, %unroll_iter172
  br i1 %niter173.ncmp.1.not, label %B240.i.i.i.i.i.loopexit.unr-lcssa, label %B164.i.i.i.i.i

B240.i.i.i.i.i.loopexit.unr-lcssa:                ; preds = %B164.i.i.i.i.i
  %lcmp.mod169.not = icmp eq i64 %xtraiter168, 0
  br i1 %lcmp.mod169.not, label %B240.i.i.i.i.i, label %B164.i.i.i.i.i.epil.preheader

B164.i.i.i.i.i.epil.preheader:                    ; preds = %B240.i.i.i.i.i.loopexit.unr-lcssa, %B164.i.i.i.i.i.preheader
  %at.3.05.i.i.i.i.i.epil.init = phi i64 [ 7, %B164.i.i.i.i.i.preheader ], [ %.174.i136.i.i.i.i.1, %B240.i.i.i.i.i.loopexit.unr-lcssa ]
  %lcmp.mod171 = icmp ne i64 %xtraiter168, 0
  call void @llvm.assume(i1 %lcmp.mod171)
  %.159.i.i.i.i.i.epil = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.3.05.i.i.i.i.i.epil.init
  %.160.i.i.i.i.i.epil = load i64, ptr %.159.i.i.i.i.i.epil, align 8, !noalias !111
  %.162.i.i19.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.160.i.i.i.i.i.epil
  %.163.i.i.i.i.i.epil = load i64, ptr %.162.i.i19.i.i.i.epil, align 8, !noalias !111
  %.167.i.i20.i.i.i.epil = getelementptr i8, ptr %.159.i.i.i.i.i.epil, i64 8
  %.168.i.i.i.i.i.epil = load i64, ptr %.167.i.i20.i.i.i.epil, align 8, !noalias !111
  %.169.i.i.i.i.i.epil = add nsw i64 %.168.i.i.i.i.i.epil, %.163.i.i.i.i.i.epil
  store i64 %.169.i.i.i.i.i.epil, ptr %.162.i.i19.i.i.i.epil, align 8, !noalias !111
  %.174.i136.i.i.i.i.epil = add nuw nsw i64 %at.3.05.i.i.i.i.i.epil.init, 2
  br label %B240.i.i.i.i.i

B240.i.i.i.i.i:                                   ; preds = %B164.i.i.i.i.i.epil.preheader, %B240.i.i.i.i.i.loopexit.unr-lcssa, %B96.i.i.i.i.i
  %at.3.0.lcssa.i.i.i.i.i = phi i64 [ 7, %B96.i.i.i.i.i ], [ %.174.i136.i.i.i.i.1, %B240.i.i.i.i.i.loopexit.unr-lcssa ], [ %.174.i136.i.i.i.i.epil, %B164.i.i.i.i.i.epil.preheader ]
  %.189.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 48
  %.190.i137.i.i.i.i = load i64, ptr %.189.i.i.i.i.i, align 8, !noalias !111
  %.2706.not.i.i.i.i.i = icmp slt i64 %.190.i137.i.i.i.i, 1
  br i1 %.2706.not.i.i.i.i.i, label %B1122.i.i.i.i, label %B294.i.i.i.i.i

B294.i.i.i.i.i:                                   ; preds = %B240.i.i.i.i.i, %B294.i.i.i.i.i
  %at.4.08.i.i.i.i.i = phi i64 [ %.355.i.i.i.i.i, %B294.i.i.i.i.i ], [ %at.3.0.lcssa.i.i.i.i.i, %B240.i.i.i.i.i ]
  %.217.07.i.i.i.i.i = phi i64 [ %.279.i.i.i.i.i, %B294.i.i.i.i.i ], [ %.190.i137.i.i.i.i, %B240.i.i.i.i.i ]
  %.279.i.i.i.i.i = add nsw i64 %.217.07.i.i.i.i.i, -1
  %35 = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.4.08.i.i.i.i.i
  %.311.i.i.i.i.i = getelementptr i8, ptr %35, i64 8
  %.312.i.i.i.i.i = load i64, ptr %.311.i.i.i.i.i, align 8, !noalias !111
  %.314.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.312.i.i.i.i.i
  %.315.i.i.i.i.i = load i64, ptr %.314.i.i.i.i.i, align 8, !noalias !111
  %.319.i.i.i.i.i = load i64, ptr %35, align 8, !noalias !111
  %.321.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.319.i.i.i.i.i
  store i64 %.315.i.i.i.i.i, ptr %.321.i.i.i.i.i, align 8, !noalias !111
  %.326.i.i.i.i.i = getelementptr i8, ptr %35, i64 16
  %.327.i.i.i.i.i = load i64, ptr %.326.i.i.i.i.i, align 8, !noalias !111
  %.329.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.327.i.i.i.i.i
  %.330.i.i.i.i.i = load i64, ptr %.329.i.i.i.i.i, align 8, !noalias !111
  %.335.i.i.i.i.i = load i64, ptr %.311.i.i.i.i.i, align 8, !noalias !111
  %.337.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.335.i.i.i.i.i
  store i64 %.330.i.i.i.i.i, ptr %.337.i.i.i.i.i, align 8, !noalias !111
  %.342.i.i.i.i.i = load i64, ptr %35, align 8, !noalias !111
  %.344.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.342.i.i.i.i.i
  %.345.i.i.i.i.i = load i64, ptr %.344.i.i.i.i.i, align 8, !noalias !111
  %.350.i.i.i.i.i = load i64, ptr %.326.i.i.i.i.i, align 8, !noalias !111
  %.352.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.350.i.i.i.i.i
  store i64 %.345.i.i.i.i.i, ptr %.352.i.i.i.i.i, align 8, !noalias !111
  %.355.i.i.i.i.i = add nuw nsw i64 %at.4.08.i.i.i.i.i, 3
  %.270.i.i.i.i.i = icmp samesign ugt i64 %.217.07.i.i.i.i.i, 1
  br i1 %.270.i.i.i.i.i, label %B294.i.i.i.i.i, label %B1122.i.i.i.i

B1122.i.i.i.i:                                    ; preds = %B294.i.i.i.i.i, %B240.i.i.i.i.i
  %.417.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.418.i.i.i.i = load i64, ptr %.417.i.i.i.i, align 8, !noalias !72
  %.423.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.424.i.i.i.i = load i64, ptr %.423.i.i.i.i, align 8, !noalias !72
  %.427.i.i.i.i = shl nsw i64 %.424.i.i.i.i, 3
  %.429.i.i.i.i = sub nsw i64 %position.4.0.i.i.i.i, %.427.i.i.i.i
  %.52.pre.i.i.i.i = load i64, ptr %.5116.i.i.i.i, align 8, !noalias !72
  br label %B1649.i.i.i.i

B1236.i.i.i.i:                                    ; preds = %B190.i.i.i.i
  %.14.i139.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.15.i140.i.i.i.i = load i64, ptr %.14.i139.i.i.i.i, align 8, !noalias !114
  %.16.i141.i.i.i.i = icmp eq i64 %.15.i140.i.i.i.i, 0
  br i1 %.16.i141.i.i.i.i, label %B1270.i.i.i.i, label %jumps.exit.i.i.i.i

jumps.exit.i.i.i.i: ; preds = %B1236.i.i.i.i
  %.29.i142.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 40
  %.30.i.i.i.i.i = load i64, ptr %.29.i142.i.i.i.i, align 8, !noalias !114
  %.33.i.i143.i.i.i.i = sub i64 0, %.30.i.i.i.i.i
  %.37.i.i144.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i143.i.i.i.i
  %.20.i.i145.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.30.i.i.i.i.i
  %.141.i.i146.i.i.i.i = icmp slt i64 %.30.i.i.i.i.i, 0
  %storemerge.in.i.i147.i.i.i.i = select i1 %.141.i.i146.i.i.i.i, ptr %.37.i.i144.i.i.i.i, ptr %.20.i.i145.i.i.i.i
  %storemerge.i.i148.i.i.i.i = load i64, ptr %storemerge.in.i.i147.i.i.i.i, align 8, !noalias !117
  %.65.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 48
  %.66.i.i.i.i.i = load i64, ptr %.65.i.i.i.i.i, align 8, !noalias !114
  %.69.i149.i.i.i.i = add nsw i64 %.66.i.i.i.i.i, %storemerge.i.i148.i.i.i.i
  %.70.i.i.i.i.i = inttoptr i64 %.69.i149.i.i.i.i to ptr
  %.72.i.i.i.i.i = load i8, ptr %.70.i.i.i.i.i, align 1, !noalias !114
  %.74.i.not.i.i.i.i = icmp eq i8 %.72.i.i.i.i.i, 0
  br i1 %.74.i.not.i.i.i.i, label %B1270.i.i.i.i, label %B1574.i.i.i.i

B1270.i.i.i.i:                                    ; preds = %jumps.exit.i.i.i.i, %B1236.i.i.i.i
  %.481.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.482.i.i.i.i = load i64, ptr %.481.i.i.i.i, align 8, !noalias !72
  %.484.i.i.i.i = add nsw i64 %.482.i.i.i.i, %.67.i.i.i.i
  %.490.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.491.i.i.i.i = load i64, ptr %.490.i.i.i.i, align 8, !noalias !72
  %.494.i.i.i.i = shl nsw i64 %.491.i.i.i.i, 3
  %.496.i.i.i.i = add nsw i64 %.494.i.i.i.i, %position.4.0.i.i.i.i
  br label %B1649.i.i.i.i

B1390.i.i.i.i:                                    ; preds = %B190.i.i.i.i
  %.17.i151.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.18.i152.i.i.i.i = load i64, ptr %.17.i151.i.i.i.i, align 8, !noalias !120
  %.1001.not.i153.i.i.i.i = icmp slt i64 %.18.i152.i.i.i.i, 1
  br i1 %.1001.not.i153.i.i.i.i, label %lay_out.exit172.i.i.i.i, label %B58.i155.i.i.i.i.preheader

B58.i155.i.i.i.i.preheader:                       ; preds = %B1390.i.i.i.i
  %xtraiter163 = and i64 %.18.i152.i.i.i.i, 1
  %36 = icmp eq i64 %.18.i152.i.i.i.i, 1
  br i1 %36, label %B58.i155.i.i.i.i.epil.preheader, label %B58.i155.i.i.i.i.preheader.new

B58.i155.i.i.i.i.preheader.new:                   ; preds = %B58.i155.i.i.i.i.preheader
  %unroll_iter166 = and i64 %.18.i152.i.i.i.i, 9223372036854775806
  br label %B58.i155.i.i.i.i

B58.i155.i.i.i.i:                                 ; preds = %B58.i155.i.i.i.i, %B58.i155.i.i.i.i.preheader.new
  %.42.02.i156.i.i.i.i = phi i64 [ 0, %B58.i155.i.i.i.i.preheader.new ], [ %.113.i157.i.i.i.i.1, %B58.i155.i.i.i.i ]
  %niter167 = phi i64 [ 0, %B58.i155.i.i.i.i.preheader.new ], [ %niter167.next.1, %B58.i155.i.i.i.i ]
  %.113.i157.i.i.i.i = or disjoint i64 %.42.02.i156.i.i.i.i, 1
  %.idx.i158.i.i.i.i = shl i64 %.42.02.i156.i.i.i.i, 4
  %37 = getelementptr i8, ptr %.62.i.i.i.i, i64 %.idx.i158.i.i.i.i
  %.142.i159.i.i.i.i = getelementptr i8, ptr %37, i64 56
  %.143.i160.i.i.i.i = load i64, ptr %.142.i159.i.i.i.i, align 8, !noalias !120
  %.33.i.i161.i.i.i.i = sub i64 0, %.143.i160.i.i.i.i
  %.37.i.i162.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i161.i.i.i.i
  %.20.i.i163.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.143.i160.i.i.i.i
  %.141.i.i164.i.i.i.i = icmp slt i64 %.143.i160.i.i.i.i, 0
  %storemerge.in.i.i165.i.i.i.i = select i1 %.141.i.i164.i.i.i.i, ptr %.37.i.i162.i.i.i.i, ptr %.20.i.i163.i.i.i.i
  %storemerge.i.i166.i.i.i.i = load i64, ptr %storemerge.in.i.i165.i.i.i.i, align 8, !noalias !123
  %.172.i167.i.i.i.i = getelementptr i8, ptr %37, i64 64
  %.173.i168.i.i.i.i = load i64, ptr %.172.i167.i.i.i.i, align 8, !noalias !120
  %.174.i169.i.i.i.i = add nsw i64 %.173.i168.i.i.i.i, %storemerge.i.i166.i.i.i.i
  %.178.i170.i.i.i.i = getelementptr i64, ptr %16, i64 %.42.02.i156.i.i.i.i
  store i64 %.174.i169.i.i.i.i, ptr %.178.i170.i.i.i.i, align 8, !noalias !120
  %.113.i157.i.i.i.i.1 = add nuw nsw i64 %.42.02.i156.i.i.i.i, 2
  %.idx.i158.i.i.i.i.1 = shl i64 %.113.i157.i.i.i.i, 4
  %38 = getelementptr i8, ptr %.62.i.i.i.i, i64 %.idx.i158.i.i.i.i.1
  %.142.i159.i.i.i.i.1 = getelementptr i8, ptr %38, i64 56
  %.143.i160.i.i.i.i.1 = load i64, ptr %.142.i159.i.i.i.i.1, align 8, !noalias !120
  %.33.i.i161.i.i.i.i.1 = sub i64 0, %.143.i160.i.i.i.i.1
  %.37.i.i162.i.i.i.i.1 = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i161.i.i.i.i.1
  %.20.i.i163.i.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.143.i160.i.i.i.i.1
  %.141.i.i164.i.i.i.i.1 = icmp slt i64 %.143.i160.i.i.i.i.1, 0
  %storemerge.in.i.i165.i.i.i.i.1 = select i1 %.141.i.i164.i.i.i.i.1, ptr %.37.i.i162.i.i.i.i.1, ptr %.20.i.i163.i.i.i.i.1
  %storemerge.i.i166.i.i.i.i.1 = load i64, ptr %storemerge.in.i.i165.i.i.i.i.1, align 8, !noalias !123
  %.172.i167.i.i.i.i.1 = getelementptr i8, ptr %38, i64 64
  %.173.i168.i.i.i.i.1 = load i64, ptr %.172.i167.i.i.i.i.1, align 8, !noalias !120
  %.174.i169.i.i.i.i.1 = add nsw i64 %.173.i168.i.i.i.i.1, %storemerge.i.i166.i.i.i.i.1
  %.178.i170.i.i.i.i.1 = getelementptr i64, ptr %16, i64 %.113.i157.i.i.i.i
  store i64 %.174.i169.i.i.i.i.1, ptr %.178.i170.i.i.i.i.1, align 8, !noalias !120
  %niter167.next.1 = add i64 %niter167, 2
  %niter167.ncmp.1 = icmp eq i64 %niter167.next.1, %unroll_iter166
  br i1 %niter167.ncmp.1, label %lay_out.exit172.loopexit.i.i.i.i.unr-lcssa, label %B58.i155.i.i.i.i

lay_out.exit172.loopexit.i.i.i.i.unr-lcssa: ; preds = %B58.i155.i.i.i.i
  %lcmp.mod164.not = icmp eq i64 %xtraiter163, 0
  br i1 %lcmp.mod164.not, label %lay_out.exit172.loopexit.i.i.i.i, label %B58.i155.i.i.i.i.epil.preheader

B58.i155.i.i.i.i.epil.preheader:                  ; preds = %lay_out.exit172.loopexit.i.i.i.i.unr-lcssa, %B58.i155.i.i.i.i.preheader
  %.42.02.i156.i.i.i.i.epil.init = phi i64 [ 0, %B58.i155.i.i.i.i.preheader ], [ %.113.i157.i.i.i.i.1, %lay_out.exit172.loopexit.i.i.i.i.unr-lcssa ]
  %lcmp.mod165 = icmp ne i64 %xtraiter163, 0
  call void @llvm.assume(i1 %lcmp.mod165)
  %.idx.i158.i.i.i.i.epil = shl i64 %.42.02.i156.i.i.i.i.epil.init, 4
  %39 = getelementptr i8, ptr %.62.i.i.i.i, i64 %.idx.i158.i.i.i.i.epil
  %.142.i159.i.i.i.i.epil = getelementptr i8, ptr %39, i64 56
  %.143.i160.i.i.i.i.epil = load i64, ptr %.142.i159.i.i.i.i.epil, align 8, !noalias !120
  %.33.i.i161.i.i.i.i.epil = sub i64 0, %.143.i160.i.i.i.i.epil
  %.37.i.i162.i.i.i.i.epil = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i161.i.i.i.i.epil
  %.20.i.i163.i.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.143.i160.i.i.i.i.epil
  %.141.i.i164.i.i.i.i.epil = icmp slt i64 %.143.i160.i.i.i.i.epil, 0
  %storemerge.in.i.i165.i.i.i.i.epil = select i1 %.141.i.i164.i.i.i.i.epil, ptr %.37.i.i162.i.i.i.i.epil, ptr %.20.i.i163.i.i.i.i.epil
  %storemerge.i.i166.i.i.i.i.epil = load i64, ptr %storemerge.in.i.i165.i.i.i.i.epil, align 8, !noalias !123
  %.172.i167.i.i.i.i.epil = getelementptr i8, ptr %39, i64 64
  %.173.i168.i.i.i.i.epil = load i64, ptr %.172.i167.i.i.i.i.epil, align 8, !noalias !120
  %.174.i169.i.i.i.i.epil = add nsw i64 %.173.i168.i.i.i.i.epil, %storemerge.i.i166.i.i.i.i.epil
  %.178.i170.i.i.i.i.epil = getelementptr i64, ptr %16, i64 %.42.02.i156.i.i.i.i.epil.init
  store i64 %.174.i169.i.i.i.i.epil, ptr %.178.i170.i.i.i.i.epil, align 8, !noalias !120
  br label %lay_out.exit172.loopexit.i.i.i.i

lay_out.exit172.loopexit.i.i.i.i: ; preds = %lay_out.exit172.loopexit.i.i.i.i.unr-lcssa, %B58.i155.i.i.i.i.epil.preheader
  %.15.i174.pre.i.i.i.i = load i64, ptr %.17.i151.i.i.i.i, align 8, !noalias !126
  br label %lay_out.exit172.i.i.i.i

lay_out.exit172.i.i.i.i: ; preds = %lay_out.exit172.loopexit.i.i.i.i, %B1390.i.i.i.i
  %.15.i174.i.i.i.i = phi i64 [ %.15.i174.pre.i.i.i.i, %lay_out.exit172.loopexit.i.i.i.i ], [ %.18.i152.i.i.i.i, %B1390.i.i.i.i ]
  %.20.i175.i.i.i.i = shl nsw i64 %.15.i174.i.i.i.i, 1
  %.21.i176.i.i.i.i = add nsw i64 %.20.i175.i.i.i.i, 7
  %.26.i177.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 8
  %.27.i178.i.i.i.i = load i64, ptr %.26.i177.i.i.i.i, align 8, !noalias !126
  %.29.i179.i.i.i.i = sub nsw i64 %.27.i178.i.i.i.i, %.21.i176.i.i.i.i
  %.1111.not.i.i.i.i.i = icmp slt i64 %.29.i179.i.i.i.i, 1
  br i1 %.1111.not.i.i.i.i.i, label %lay_out_sizes.exit.i.i.i.i, label %B116.lr.ph.i.i.i.i.i

B116.lr.ph.i.i.i.i.i:                             ; preds = %lay_out.exit172.i.i.i.i
  %40 = getelementptr i64, ptr %.62.i.i.i.i, i64 %.21.i176.i.i.i.i
  %41 = getelementptr i64, ptr %16, i64 %.15.i174.i.i.i.i
  %min.iters.check = icmp ult i64 %.29.i179.i.i.i.i, 6
  br i1 %min.iters.check, label %B116.i.i.i.i.i.preheader, label %vector.memcheck

vector.memcheck:                                  ; preds = %B116.lr.ph.i.i.i.i.i
  %42 = shl i64 %.15.i174.i.i.i.i, 3
  %43 = add i64 %position.4.0.i.i.i.i, %42
  %44 = sub i64 %19, %43
  %diff.check = icmp ult i64 %44, 32
  br i1 %diff.check, label %B116.i.i.i.i.i.preheader, label %vector.ph

vector.ph:                                        ; preds = %vector.memcheck
  %n.vec = and i64 %.29.i179.i.i.i.i, 9223372036854775804
  br label %vector.body

vector.body:                                      ; preds = %vector.body, %vector.ph
  %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %45 = getelementptr i64, ptr %40, i64 %index
  %46 = getelementptr i8, ptr %45, i64 16
  %wide.load = load <2 x i64>, ptr %45, align 8, !noalias !126
  %wide.load145 = load <2 x i64>, ptr %46, align 8, !noalias !126
  %47 = getelementptr i64, ptr %41, i64 %index
  %48 = getelementptr i8, ptr %47, i64 16
  store <2 x i64> %wide.load, ptr %47, align 8, !noalias !126
  store <2 x i64> %wide.load145, ptr %48, align 8, !noalias !126
  %index.next = add nuw i64 %index, 4
  %49 = icmp eq i64 %index.next, %n.vec
  br i1 %49, label %middle.block, label %vector.body, !llvm.loop !129

middle.block:                                     ; preds = %vector.body
  %cmp.n = icmp eq i64 %.29.i179.i.i.i.i, %n.vec
  br i1 %cmp.n, label %lay_out_sizes.exit.i.i.i.i, label %B116.i.i.i.i.i.preheader

B116.i.i.i.i.i.preheader:                         ; preds = %vector.memcheck, %B116.lr.ph.i.i.i.i.i, %middle.block
  %.53.02.i.i.i.i.i.ph = phi i64 [ 0, %vector.memcheck ], [ 0, %B116.lr.ph.i.i.i.i.i ], [ %n.vec, %middle.block ]
  br label %B116.i.i.i.i.i

B116.i.i.i.i.i:                                   ; preds = %B116.i.i.i.i.i.preheader, %B116.i.i.i.i.i
  %.53.02.i.i.i.i.i = phi i64 [ %.124.i.i.i.i.i, %B116.i.i.i.i.i ], [ %.53.02.i.i.i.i.i.ph, %B116.i.i.i.i.i.preheader ]
  %.124.i.i.i.i.i = add nuw nsw i64 %.53.02.i.i.i.i.i, 1
  %.152.i180.i.i.i.i = getelementptr i64, ptr %40, i64 %.53.02.i.i.i.i.i
  %.153.i.i.i.i.i = load i64, ptr %.152.i180.i.i.i.i, align 8, !noalias !126
  %.159.i181.i.i.i.i = getelementptr i64, ptr %41, i64 %.53.02.i.i.i.i.i
  store i64 %.153.i.i.i.i.i, ptr %.159.i181.i.i.i.i, align 8, !noalias !126
  %exitcond.not.i182.i.i.i.i = icmp eq i64 %.124.i.i.i.i.i, %.29.i179.i.i.i.i
  br i1 %exitcond.not.i182.i.i.i.i, label %lay_out_sizes.exit.i.i.i.i, label %B116.i.i.i.i.i, !llvm.loop !132

lay_out_sizes.exit.i.i.i.i: ; preds = %B116.i.i.i.i.i, %middle.block, %lay_out.exit172.i.i.i.i
  %.566.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.567.i.i.i.i = load i64, ptr %.566.i.i.i.i, align 8, !noalias !72
  %.574.i.i.i.i = call i32 @PyGILState_Ensure(), !noalias !72
  %.575.i.i.i.i = call i64 @PyLong_FromLongLong(i64 %.571.i.i.i.i), !noalias !72
  %.576.not.i.i.i.i = icmp eq i64 %.575.i.i.i.i, 0
  br i1 %.576.not.i.i.i.i, label %B1534.sink.split.i.i.i.i, label %B1390.endif.endif.if.i.i.i.i

B1534.sink.split.i.i.i.i:                         ; preds = %B1390.endif.endif.if.i.i.i.i, %lay_out_sizes.exit.i.i.i.i
  call void @PyGILState_Release(i32 %.574.i.i.i.i), !noalias !72
  br label %run_steps.exit.i.i.i

B1540.i.i.i.i:                                    ; preds = %B190.i.i.i.i
  %.123.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 168
  %.124.i183.i.i.i.i = load i64, ptr %.123.i.i.i.i.i, align 8, !noalias !133
  %.2041.not.i.i.i.i.i = icmp slt i64 %.124.i183.i.i.i.i, 1
  br i1 %.2041.not.i.i.i.i.i, label %B1574.i.i.i.i, label %B406.lr.ph.i.i.i.i.i

B406.lr.ph.i.i.i.i.i:                             ; preds = %B1540.i.i.i.i
  %.116.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 136
  %.117.i.i.i.i.i = load i64, ptr %.116.i.i.i.i.i, align 8, !noalias !133
  %.88.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 128
  %.89.i.i.i.i.i = load i64, ptr %.88.i.i.i.i.i, align 8, !noalias !133
  %.141.i78.i.i.i.i.i = icmp slt i64 %.89.i.i.i.i.i, 0
  %.33.i75.i.i.i.i.i = sub i64 0, %.89.i.i.i.i.i
  %.37.i76.i.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i75.i.i.i.i.i
  %.20.i77.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.89.i.i.i.i.i
  %storemerge.in.i79.i.i.i.i.i = select i1 %.141.i78.i.i.i.i.i, ptr %.37.i76.i.i.i.i.i, ptr %.20.i77.i.i.i.i.i
  %storemerge.i80.i.i.i.i.i = load i64, ptr %storemerge.in.i79.i.i.i.i.i, align 8, !noalias !136
  %.118.i184.i.i.i.i = add nsw i64 %storemerge.i80.i.i.i.i.i, %.117.i.i.i.i.i
  %.79.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 96
  %.80.i185.i.i.i.i = load i64, ptr %.79.i.i.i.i.i, align 8, !noalias !133
  %.51.i186.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 88
  %.52.i187.i.i.i.i = load i64, ptr %.51.i186.i.i.i.i, align 8, !noalias !133
  %.141.i72.i.i.i.i.i = icmp slt i64 %.52.i187.i.i.i.i, 0
  %.33.i69.i.i.i.i.i = sub i64 0, %.52.i187.i.i.i.i
  %.37.i70.i.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i69.i.i.i.i.i
  %.20.i71.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.52.i187.i.i.i.i
  %storemerge.in.i73.i.i.i.i.i = select i1 %.141.i72.i.i.i.i.i, ptr %.37.i70.i.i.i.i.i, ptr %.20.i71.i.i.i.i.i
  %storemerge.i74.i.i.i.i.i = load i64, ptr %storemerge.in.i73.i.i.i.i.i, align 8, !noalias !139
  %.81.i.i.i.i.i = add nsw i64 %storemerge.i74.i.i.i.i.i, %.80.i185.i.i.i.i
  %.42.i188.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 56
  %.43.i189.i.i.i.i = load i64, ptr %.42.i188.i.i.i.i, align 8, !noalias !133
  %.12.i190.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 48
  %.13.i191.i.i.i.i = load i64, ptr %.12.i190.i.i.i.i, align 8, !noalias !133
  %.141.i.i192.i.i.i.i = icmp slt i64 %.13.i191.i.i.i.i, 0
  %.33.i.i193.i.i.i.i = sub i64 0, %.13.i191.i.i.i.i
  %.37.i.i194.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i193.i.i.i.i
  %.20.i.i195.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.13.i191.i.i.i.i
  %storemerge.in.i.i196.i.i.i.i = select i1 %.141.i.i192.i.i.i.i, ptr %.37.i.i194.i.i.i.i, ptr %.20.i.i195.i.i.i.i
  %storemerge.i.i197.i.i.i.i = load i64, ptr %storemerge.in.i.i196.i.i.i.i, align 8, !noalias !142
  %.44.i198.i.i.i.i = add nsw i64 %storemerge.i.i197.i.i.i.i, %.43.i189.i.i.i.i
  %.315.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 64
  %.282.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 104
  %.285.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 144
  %.288.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 80
  %.291.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.294.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.297.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.172.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 120
  %.181.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 40
  %.273.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 72
  %.281.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 112
  %.289.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 152
  br label %B406.i.i.i.i.i

B406.i.i.i.i.i:                                   ; preds = %multiply_one.exit.i.i.i.i.i, %B406.lr.ph.i.i.i.i.i
  %.2136.in.i.i.i.i.i = phi i64 [ %.124.i183.i.i.i.i, %B406.lr.ph.i.i.i.i.i ], [ %.2136.i.i.i.i.i, %multiply_one.exit.i.i.i.i.i ]
  %c.2.05.i.i.i.i.i = phi i64 [ %.118.i184.i.i.i.i, %B406.lr.ph.i.i.i.i.i ], [ %.292.i.i.i.i.i, %multiply_one.exit.i.i.i.i.i ]
  %b.2.04.i.i.i.i.i = phi i64 [ %.81.i.i.i.i.i, %B406.lr.ph.i.i.i.i.i ], [ %.284.i.i.i.i.i, %multiply_one.exit.i.i.i.i.i ]
  %a.2.03.i.i.i.i.i = phi i64 [ %.44.i198.i.i.i.i, %B406.lr.ph.i.i.i.i.i ], [ %.276.i.i.i.i.i, %multiply_one.exit.i.i.i.i.i ]
  %.2136.i.i.i.i.i = add nsw i64 %.2136.in.i.i.i.i.i, -1
  %.18.i.i.i.i215.i.i = load i64, ptr %.62.i.i.i.i, align 8, !noalias !145
  %.316.i.i.i.i.i.i = load i64, ptr %.315.i.i.i.i.i.i, align 8, !noalias !145
  switch i64 %.18.i.i.i.i215.i.i, label %B464.i.i.i.i.i.i [
    i64 1, label %B52.i.i.i.i.i.i
    i64 2, label %B114.i.i.i.i.i.i
    i64 3, label %B176.i.i.i.i.i.i
    i64 4, label %B238.i.i.i.i.i.i
    i64 6, label %B300.i.i.i.i.i.i
    i64 7, label %B362.i.i.i.i.i.i
    i64 8, label %B424.i.i.i.i.i.i
  ]

B52.i.i.i.i.i.i:                                  ; preds = %B406.i.i.i.i.i
  %.34.i.i216.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !145
  %.36.i.i217.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !145
  %.38.i.i218.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !145
  %.39.i.i.i.i.i.i = trunc i64 %.38.i.i218.i.i.i.i to i32
  %.41.i.i.i.i218.i.i = load i64, ptr %.172.i.i.i.i.i.i, align 8, !noalias !145
  %.42.i.i.i.i.i.i = trunc i64 %.41.i.i.i.i218.i.i to i32
  %.44.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !145
  %.46.i.i.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !145
  %.48.i.i.i.i.i.i = load i64, ptr %.181.i.i.i.i.i.i, align 8, !noalias !145
  %.50.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !145
  %.51.i.i.i.i.i.i = inttoptr i64 %.50.i.i.i.i.i.i to ptr
  call void %.51.i.i.i.i.i.i(i32 101, i32 %.39.i.i.i.i.i.i, i32 %.42.i.i.i.i.i.i, i64 %.44.i.i.i.i.i.i, i64 %.46.i.i.i.i.i.i, i64 %.48.i.i.i.i.i.i, float 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i64 %.316.i.i.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i64 %.34.i.i216.i.i.i.i, float 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i64 %.36.i.i217.i.i.i.i), !noalias !145
  br label %multiply_one.exit.i.i.i.i.i

B114.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.75.i.i211.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !145
  %.77.i.i212.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !145
  %.79.i.i213.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !145
  %.80.i.i214.i.i.i.i = trunc i64 %.79.i.i213.i.i.i.i to i32
  %.82.i.i.i.i.i.i = load i64, ptr %.172.i.i.i.i.i.i, align 8, !noalias !145
  %.83.i.i.i.i.i.i = trunc i64 %.82.i.i.i.i.i.i to i32
  %.85.i.i215.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !145
  %.87.i.i.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !145
  %.89.i.i.i.i.i.i = load i64, ptr %.181.i.i.i.i.i.i, align 8, !noalias !145
  %.91.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !145
  %.92.i.i.i.i.i.i = inttoptr i64 %.91.i.i.i.i.i.i to ptr
  call void %.92.i.i.i.i.i.i(i32 101, i32 %.80.i.i214.i.i.i.i, i32 %.83.i.i.i.i.i.i, i64 %.85.i.i215.i.i.i.i, i64 %.87.i.i.i.i.i.i, i64 %.89.i.i.i.i.i.i, double 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i64 %.316.i.i.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i64 %.75.i.i211.i.i.i.i, double 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i64 %.77.i.i212.i.i.i.i), !noalias !145
  br label %multiply_one.exit.i.i.i.i.i

B176.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.115.i.i203.i.i.i.i = trunc i64 %.316.i.i.i.i.i.i to i32
  %.117.i.i204.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !145
  %.118.i.i205.i.i.i.i = trunc i64 %.117.i.i204.i.i.i.i to i32
  %.120.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !145
  %.121.i.i.i.i.i.i = trunc i64 %.120.i.i.i.i.i.i to i32
  %.123.i.i206.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !145
  %.124.i.i207.i.i.i.i = trunc i64 %.123.i.i206.i.i.i.i to i32
  %.126.i.i208.i.i.i.i = load i64, ptr %.172.i.i.i.i.i.i, align 8, !noalias !145
  %.127.i.i209.i.i.i.i = trunc i64 %.126.i.i208.i.i.i.i to i32
  %.129.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !145
  %.130.i.i.i.i.i.i = trunc i64 %.129.i.i.i.i.i.i to i32
  %.132.i.i210.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !145
  %.133.i.i.i.i.i.i = trunc i64 %.132.i.i210.i.i.i.i to i32
  %.135.i.i.i.i.i.i = load i64, ptr %.181.i.i.i.i.i.i, align 8, !noalias !145
  %.136.i.i.i.i.i.i = trunc i64 %.135.i.i.i.i.i.i to i32
  %.138.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !145
  %.139.i.i.i.i217.i.i = inttoptr i64 %.138.i.i.i.i.i.i to ptr
  call void %.139.i.i.i.i217.i.i(i32 101, i32 %.124.i.i207.i.i.i.i, i32 %.127.i.i209.i.i.i.i, i32 %.130.i.i.i.i.i.i, i32 %.133.i.i.i.i.i.i, i32 %.136.i.i.i.i.i.i, float 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i32 %.115.i.i203.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i32 %.118.i.i205.i.i.i.i, float 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i32 %.121.i.i.i.i.i.i), !noalias !145
  br label %multiply_one.exit.i.i.i.i.i

B238.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.162.i.i.i.i216.i.i = trunc i64 %.316.i.i.i.i.i.i to i32
  %.164.i.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !145
  %.165.i.i.i.i.i.i = trunc i64 %.164.i.i.i.i.i.i to i32
  %.167.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !145
  %.168.i.i.i.i.i.i = trunc i64 %.167.i.i.i.i.i.i to i32
  %.170.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !145
  %.171.i.i.i.i.i.i = trunc i64 %.170.i.i.i.i.i.i to i32
  %.173.i.i.i.i.i.i = load i64, ptr %.172.i.i.i.i.i.i, align 8, !noalias !145
  %.174.i.i.i.i.i.i = trunc i64 %.173.i.i.i.i.i.i to i32
  %.176.i.i200.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !145
  %.177.i.i201.i.i.i.i = trunc i64 %.176.i.i200.i.i.i.i to i32
  %.179.i.i202.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !145
  %.180.i.i.i.i.i.i = trunc i64 %.179.i.i202.i.i.i.i to i32
  %.182.i.i.i.i.i.i = load i64, ptr %.181.i.i.i.i.i.i, align 8, !noalias !145
  %.183.i.i.i.i.i.i = trunc i64 %.182.i.i.i.i.i.i to i32
  %.185.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !145
  %.186.i.i.i.i.i.i = inttoptr i64 %.185.i.i.i.i.i.i to ptr
  call void %.186.i.i.i.i.i.i(i32 101, i32 %.171.i.i.i.i.i.i, i32 %.174.i.i.i.i.i.i, i32 %.177.i.i201.i.i.i.i, i32 %.180.i.i.i.i.i.i, i32 %.183.i.i.i.i.i.i, double 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i32 %.162.i.i.i.i216.i.i, i64 %b.2.04.i.i.i.i.i, i32 %.165.i.i.i.i.i.i, double 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i32 %.168.i.i.i.i.i.i), !noalias !145
  br label %multiply_one.exit.i.i.i.i.i

B300.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.210.i.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !145
  %.212.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !145
  %.214.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !145
  %.215.i.i.i.i.i.i = trunc i64 %.214.i.i.i.i.i.i to i32
  %.217.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !145
  %.219.i.i.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !145
  %.221.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !145
  %.222.i.i.i.i.i.i = inttoptr i64 %.221.i.i.i.i.i.i to ptr
  call void %.222.i.i.i.i.i.i(i32 101, i32 %.215.i.i.i.i.i.i, i64 %.217.i.i.i.i.i.i, i64 %.219.i.i.i.i.i.i, float 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i64 %.316.i.i.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i64 %.210.i.i.i.i.i.i, float 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i64 %.212.i.i.i.i.i.i), !noalias !145
  br label %multiply_one.exit.i.i.i.i.i

B362.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.246.i.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !145
  %.248.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !145
  %.250.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !145
  %.251.i.i.i.i.i.i = trunc i64 %.250.i.i.i.i.i.i to i32
  %.253.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !145
  %.255.i.i.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !145
  %.257.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !145
  %.258.i.i.i.i.i.i = inttoptr i64 %.257.i.i.i.i.i.i to ptr
  call void %.258.i.i.i.i.i.i(i32 101, i32 %.251.i.i.i.i.i.i, i64 %.253.i.i.i.i.i.i, i64 %.255.i.i.i.i.i.i, double 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i64 %.316.i.i.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i64 %.246.i.i.i.i.i.i, double 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i64 %.248.i.i.i.i.i.i), !noalias !145
  br label %multiply_one.exit.i.i.i.i.i

B424.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.281.i.i.i.i.i.i = trunc i64 %.316.i.i.i.i.i.i to i32
  %.283.i.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !145
  %.284.i.i.i.i.i.i = trunc i64 %.283.i.i.i.i.i.i to i32
  %.286.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !145
  %.287.i.i.i.i.i.i = trunc i64 %.286.i.i.i.i.i.i to i32
  %.289.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !145
  %.290.i.i.i.i.i.i = trunc i64 %.289.i.i.i.i.i.i to i32
  %.292.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !145
  %.293.i.i.i.i.i.i = trunc i64 %.292.i.i.i.i.i.i to i32
  %.295.i.i.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !145
  %.296.i.i.i.i.i.i = trunc i64 %.295.i.i.i.i.i.i to i32
  %.298.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !145
  %.299.i.i.i.i.i.i = inttoptr i64 %.298.i.i.i.i.i.i to ptr
  call void %.299.i.i.i.i.i.i(i32 101, i32 %.290.i.i.i.i.i.i, i32 %.293.i.i.i.i.i.i, i32 %.296.i.i.i.i.i.i, float 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i32 %.281.i.i.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i32 %.284.i.i.i.i.i.i, float 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i32 %.287.i.i.i.i.i.i), !noalias !145
  br label %multiply_one.exit.i.i.i.i.i

B464.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.317.i.i.i.i.i.i = trunc i64 %.316.i.i.i.i.i.i to i32
  %.319.i.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !145
  %.320.i.i.i.i.i.i = trunc i64 %.319.i.i.i.i.i.i to i32
  %.322.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !145
  %.323.i.i.i.i.i.i = trunc i64 %.322.i.i.i.i.i.i to i32
  %.325.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !145
  %.326.i.i.i.i.i.i = trunc i64 %.325.i.i.i.i.i.i to i32
  %.328.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !145
  %.329.i.i.i.i.i.i = trunc i64 %.328.i.i.i.i.i.i to i32
  %.331.i.i.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !145
  %.332.i.i.i.i.i.i = trunc i64 %.331.i.i.i.i.i.i to i32
  %.334.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !145
  %.335.i.i.i.i.i.i = inttoptr i64 %.334.i.i.i.i.i.i to ptr
  call void %.335.i.i.i.i.i.i(i32 101, i32 %.326.i.i.i.i.i.i, i32 %.329.i.i.i.i.i.i, i32 %.332.i.i.i.i.i.i, double 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i32 %.317.i.i.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i32 %.320.i.i.i.i.i.i, double 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i32 %.323.i.i.i.i.i.i), !noalias !145
  br label %multiply_one.exit.i.i.i.i.i

multiply_one.exit.i.i.i.i.i: ; preds = %B464.i.i.i.i.i.i, %B424.i.i.i.i.i.i, %B362.i.i.i.i.i.i, %B300.i.i.i.i.i.i, %B238.i.i.i.i.i.i, %B176.i.i.i.i.i.i, %B114.i.i.i.i.i.i, %B52.i.i.i.i.i.i
  %.274.i.i.i.i.i = load i64, ptr %.273.i.i.i.i.i, align 8, !noalias !133
  %.276.i.i.i.i.i = add nsw i64 %.274.i.i.i.i.i, %a.2.03.i.i.i.i.i
  %.282.i.i.i.i.i = load i64, ptr %.281.i.i.i.i.i, align 8, !noalias !133
  %.284.i.i.i.i.i = add nsw i64 %.282.i.i.i.i.i, %b.2.04.i.i.i.i.i
  %.290.i.i.i.i.i = load i64, ptr %.289.i.i.i.i.i, align 8, !noalias !133
  %.292.i.i.i.i.i = add nsw i64 %.290.i.i.i.i.i, %c.2.05.i.i.i.i.i
  %.204.i199.i.i.i.i = icmp samesign ugt i64 %.2136.in.i.i.i.i.i, 1
  br i1 %.204.i199.i.i.i.i, label %B406.i.i.i.i.i, label %B1574.i.i.i.i

B1574.i.i.i.i.loopexit151.unr-lcssa:              ; preds = %B126.i.i.i.i.i
  %lcmp.mod175.not = icmp eq i64 %xtraiter174, 0
  br i1 %lcmp.mod175.not, label %B1574.i.i.i.i, label %B126.i.i.i.i.i.epil.preheader

B126.i.i.i.i.i.epil.preheader:                    ; preds = %B1574.i.i.i.i.loopexit151.unr-lcssa, %B126.i.i.i.i.i.preheader
  %at.2.03.i.i.i.i.i.epil.init = phi i64 [ 5, %B126.i.i.i.i.i.preheader ], [ %.193.i.i.i.i.i.1, %B1574.i.i.i.i.loopexit151.unr-lcssa ]
  %lcmp.mod176 = icmp ne i64 %xtraiter174, 0
  call void @llvm.assume(i1 %lcmp.mod176)
  %50 = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.2.03.i.i.i.i.i.epil.init
  %.151.i.i.i.i.i.epil = getelementptr i8, ptr %50, i64 8
  %.152.i.i.i.i.i.epil = load i64, ptr %.151.i.i.i.i.i.epil, align 8, !noalias !105
  %.33.i.i124.i.i.i.i.epil = sub i64 0, %.152.i.i.i.i.i.epil
  %.37.i.i125.i.i.i.i.epil = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i124.i.i.i.i.epil
  %.20.i.i126.i.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.152.i.i.i.i.i.epil
  %.141.i.i127.i.i.i.i.epil = icmp slt i64 %.152.i.i.i.i.i.epil, 0
  %storemerge.in.i.i128.i.i.i.i.epil = select i1 %.141.i.i127.i.i.i.i.epil, ptr %.37.i.i125.i.i.i.i.epil, ptr %.20.i.i126.i.i.i.i.epil
  %storemerge.i.i129.i.i.i.i.epil = load i64, ptr %storemerge.in.i.i128.i.i.i.i.epil, align 8, !noalias !108
  %.182.i.i.i200.i.i.epil = getelementptr i8, ptr %50, i64 16
  %.183.i.i.i.i.i.epil = load i64, ptr %.182.i.i.i200.i.i.epil, align 8, !noalias !105
  %.184.i.i.i201.i.i.epil = add nsw i64 %.183.i.i.i.i.i.epil, %storemerge.i.i129.i.i.i.i.epil
  %.188.i.i.i.i.i.epil = load i64, ptr %50, align 8, !noalias !105
  %.190.i.i.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.188.i.i.i.i.i.epil
  store i64 %.184.i.i.i201.i.i.epil, ptr %.190.i.i.i.i.i.epil, align 8, !noalias !105
  br label %B1574.i.i.i.i

B1574.i.i.i.i:                                    ; preds = %B126.i.i.i.i.i.epil.preheader, %B1574.i.i.i.i.loopexit151.unr-lcssa, %B352.i.i.i.i.i, %B352.us.i.i.i.i.i, %multiply_one.exit.i.i.i.i.i, %B1390.endif.endif.if.if.i.i.i.i, %B1540.i.i.i.i, %jumps.exit.i.i.i.i, %B1090.i.i.i.i, %B1008.i.i.i.i, %B944.i.i.i.i, %B906.i.i.i.i, %B644.i.i.i.i
  %.647.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 8
  %.648.i.i.i.i = load i64, ptr %.647.i.i.i.i, align 8, !noalias !72
  %.651.i.i.i.i = shl nsw i64 %.648.i.i.i.i, 3
  %.653.i.i.i.i = add nsw i64 %.651.i.i.i.i, %position.4.0.i.i.i.i
  %.658.i.i.i.i = load i64, ptr %.5116.i.i.i.i, align 8, !noalias !72
  %.660.i.i.i.i = icmp slt i64 %.67.i.i.i.i, %.658.i.i.i.i
  br i1 %.660.i.i.i.i, label %B190.i.i.i.i.backedge, label %run_steps.exit.i.i.i

B190.i.i.i.i.backedge:                            ; preds = %B1574.i.i.i.i, %B1649.i.i.i.i
  %.5287.i.i.i.i.be = phi i64 [ %.658.i.i.i.i, %B1574.i.i.i.i ], [ %.52.i.i.i.i, %B1649.i.i.i.i ]
  %position.4.0.i.i.i.i.be = phi i64 [ %.653.i.i.i.i, %B1574.i.i.i.i ], [ %storemerge.i18.i.i.i, %B1649.i.i.i.i ]
  %number.6.0.i.i.i.i.be = phi i64 [ %.67.i.i.i.i, %B1574.i.i.i.i ], [ %number.5.0.i.i.i.i, %B1649.i.i.i.i ]
  br label %B190.i.i.i.i

B1649.i.i.i.i:                                    ; preds = %B1270.i.i.i.i, %B1122.i.i.i.i
  %.52.i.i.i.i = phi i64 [ %.52.pre.i.i.i.i, %B1122.i.i.i.i ], [ %.5287.i.i.i.i, %B1270.i.i.i.i ]
  %number.5.0.i.i.i.i = phi i64 [ %.418.i.i.i.i, %B1122.i.i.i.i ], [ %.484.i.i.i.i, %B1270.i.i.i.i ]
  %storemerge.i18.i.i.i = phi i64 [ %.429.i.i.i.i, %B1122.i.i.i.i ], [ %.496.i.i.i.i, %B1270.i.i.i.i ]
  %.54.i.i.i.i = icmp slt i64 %number.5.0.i.i.i.i, %.52.i.i.i.i
  br i1 %.54.i.i.i.i, label %B190.i.i.i.i.backedge, label %run_steps.exit.i.i.i

B1390.endif.endif.if.i.i.i.i:                     ; preds = %lay_out_sizes.exit.i.i.i.i
  %.578.i.i.i.i = call i64 @PyObject_CallOneArg(i64 %.567.i.i.i.i, i64 %.575.i.i.i.i), !noalias !72
  call void @Py_DecRef(i64 %.575.i.i.i.i), !noalias !72
  %.580.not.i.i.i.i = icmp eq i64 %.578.i.i.i.i, 0
  br i1 %.580.not.i.i.i.i, label %B1534.sink.split.i.i.i.i, label %B1390.endif.endif.if.if.i.i.i.i

B1390.endif.endif.if.if.i.i.i.i:                  ; preds = %B1390.endif.endif.if.i.i.i.i
  %.582.i.i.i.i = call i32 @PyObject_IsTrue(i64 %.578.i.i.i.i), !noalias !72
  call void @Py_DecRef(i64 %.578.i.i.i.i), !noalias !72
  %.584.i.i.i.i = call i32 @PyErr_CheckSignals(), !noalias !72
  %.585.i.i.i.i = icmp eq i32 %.584.i.i.i.i, 0
  %51 = icmp eq i32 %.582.i.i.i.i, 1
  %52 = select i1 %.585.i.i.i.i, i1 %51, i1 false
  call void @PyGILState_Release(i32 %.574.i.i.i.i), !noalias !72
  br i1 %52, label %B1574.i.i.i.i, label %run_steps.exit.i.i.i

run_steps.exit.i.i.i: ; preds = %B1649.i.i.i.i, %B1390.endif.endif.if.if.i.i.i.i, %B1574.i.i.i.i, %B944.i.i.i.i, %B644.i.i.i.i, %bind_row.exit.loopexit.i.i.i.i.i, %B194.us.i.i.i.i.i, %B1534.sink.split.i.i.i.i, %B138.i.i.i
  %.sink.i.i.i.i = phi i1 [ false, %bind_row.exit.loopexit.i.i.i.i.i ], [ true, %B138.i.i.i ], [ false, %B194.us.i.i.i.i.i ], [ false, %B1534.sink.split.i.i.i.i ], [ false, %B644.i.i.i.i ], [ false, %B1390.endif.endif.if.if.i.i.i.i ], [ true, %B1574.i.i.i.i ], [ false, %B944.i.i.i.i ], [ true, %B1649.i.i.i.i ]
  br i1 %.75.not.i.i.i, label %B208.i.i.i, label %B178.i.i.i

B178.i.i.i:                                       ; preds = %run_steps.exit.i.i.i
  %.131.i.i.i = call ptr @PyEval_RestoreThread(i64 %storemerge.i185.i.i), !noalias !71
  br label %B208.i.i.i

B208.i.i.i:                                       ; preds = %B178.i.i.i, %run_steps.exit.i.i.i
  %.32.i33.i.i.i = load i64, ptr %.25.i.i.i.i, align 8, !noalias !71
  %.1148.not.i.i.i.i = icmp slt i64 %.32.i33.i.i.i, 1
  br i1 %.sink.i.i.i.i, label %B410.i.i.i, label %B220.i.i.i

B220.i.i.i:                                       ; preds = %B208.i.i.i
  br i1 %.1148.not.i.i.i.i, label %drop.exit.i.i.i, label %B104.preheader.i.i.i.i

B104.preheader.i.i.i.i:                           ; preds = %B220.i.i.i
  %.11.i27.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !148
  %.12.i.i.i.i = shl nsw i64 %.11.i27.i.i.i, 3
  %.13.i.i.i.i = add nsw i64 %.12.i.i.i.i, %.12.i
  br label %B104.i.i.i.i

B104.i.i.i.i:                                     ; preds = %B216.i.i.i.i, %B104.preheader.i.i.i.i
  %.1074.in.i.i.i.i = phi i64 [ %.1074.i.i.i.i, %B216.i.i.i.i ], [ %.32.i33.i.i.i, %B104.preheader.i.i.i.i ]
  %position.2.03.i.i.i.i = phi i64 [ %.167.i.i.i.i, %B216.i.i.i.i ], [ %.13.i.i.i.i, %B104.preheader.i.i.i.i ]
  %.1074.i.i.i.i = add nsw i64 %.1074.in.i.i.i.i, -1
  %.137.i28.i.i.i = inttoptr i64 %position.2.03.i.i.i.i to ptr
  %.142.i.i.i.i = getelementptr i8, ptr %.137.i28.i.i.i, i64 16
  %.143.i.i186.i.i = load i64, ptr %.142.i.i.i.i, align 8, !noalias !148
  %.145.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i186.i.i
  %.146.i.i187.i.i = load i64, ptr %.145.i.i.i.i, align 8, !noalias !148
  %.151.not.i.i.i.i = icmp eq i64 %.146.i.i187.i.i, 0
  br i1 %.151.not.i.i.i.i, label %B216.i.i.i.i, label %B186.i.i188.i.i

B186.i.i188.i.i:                                  ; preds = %B104.i.i.i.i
  %.154.i.i.i.i = call ptr @Py_DecRef(i64 %.146.i.i187.i.i), !noalias !148
  br label %B216.i.i.i.i

B216.i.i.i.i:                                     ; preds = %B186.i.i188.i.i, %B104.i.i.i.i
  %.161.i.i.i.i = getelementptr i8, ptr %.137.i28.i.i.i, i64 8
  %.162.i29.i.i.i = load i64, ptr %.161.i.i.i.i, align 8, !noalias !148
  %.165.i.i.i.i = shl nsw i64 %.162.i29.i.i.i, 3
  %.167.i.i.i.i = add nsw i64 %.165.i.i.i.i, %position.2.03.i.i.i.i
  %.98.i.i.i.i = icmp samesign ugt i64 %.1074.in.i.i.i.i, 1
  br i1 %.98.i.i.i.i, label %B104.i.i.i.i, label %drop.exit.i.i.i

drop.exit.i.i.i: ; preds = %B216.i.i.i.i, %B220.i.i.i
  %.180.i.i.i = call i64 @PyErr_Occurred(), !noalias !71
  %.181.not.i.i.i = icmp eq i64 %.180.i.i.i, 0
  br i1 %.181.not.i.i.i, label %B316.i.i.i, label %executed.exit.i.i

B316.i.i.i:                                       ; preds = %drop.exit.i.i.i
  %.189.i.i.i = load i64, ptr %.368.i.i, align 8, !noalias !71
  %.190.i.i.i = add nsw i64 %.189.i.i.i, -1
  store i64 %.190.i.i.i, ptr %.368.i.i, align 8, !noalias !71
  %.196.i.i.i = getelementptr i8, ptr %.17.i, i64 32
  %.197.i189.i.i = load i64, ptr %.196.i.i.i, align 8, !noalias !71
  %.5.i.i.i.i = call ptr @Py_IncRef(i64 %.197.i189.i.i), !noalias !151
  br label %executed.exit.i.i

B410.i.i.i:                                       ; preds = %B208.i.i.i
  br i1 %.1148.not.i.i.i.i, label %B450.i.i.i, label %B126.lr.ph.i34.i.i.i

B126.lr.ph.i34.i.i.i:                             ; preds = %B410.i.i.i
  %.23.i35.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !154
  %.24.i36.i.i.i = shl nsw i64 %.23.i35.i.i.i, 3
  %.26.i37.i.i.i = add nsw i64 %.24.i36.i.i.i, %.12.i
  %.95.i.i.i.i.i = getelementptr i8, ptr %.17.i, i64 48
  br label %B126.i38.i.i.i

B126.i38.i.i.i:                                   ; preds = %B550.i.i.i.i, %B126.lr.ph.i34.i.i.i
  %.12311.in.i.i.i.i = phi i64 [ %.32.i33.i.i.i, %B126.lr.ph.i34.i.i.i ], [ %.12311.i.i.i.i, %B550.i.i.i.i ]
  %position.2.010.i.i.i.i = phi i64 [ %.26.i37.i.i.i, %B126.lr.ph.i34.i.i.i ], [ %.345.i.i.i.i, %B550.i.i.i.i ]
  %.12311.i.i.i.i = add nsw i64 %.12311.in.i.i.i.i, -1
  %.153.i.i.i.i = inttoptr i64 %position.2.010.i.i.i.i to ptr
  %.159.i.i.i.i = load i64, ptr %.153.i.i.i.i, align 8, !noalias !154
  %.164.i.i190.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 16
  %.165.i39.i.i.i = load i64, ptr %.164.i.i190.i.i, align 8, !noalias !154
  %.167.i40.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.165.i39.i.i.i
  %.168.i.i.i.i = load i64, ptr %.167.i40.i.i.i, align 8, !noalias !154
  switch i64 %.159.i.i.i.i, label %B476.i.i.i.i [
    i64 1, label %B244.i.i.i.i
    i64 2, label %B352.i.i.i.i
    i64 3, label %B412.i.i.i.i
  ]

B244.i.i.i.i:                                     ; preds = %B126.i38.i.i.i
  %.180.i83.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 64
  %.181.i84.i.i.i = load i64, ptr %.180.i83.i.i.i, align 8, !noalias !154
  %.183.i85.i.i.i = add nsw i64 %.181.i84.i.i.i, %frame_address.0.i
  %.185.i.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 32
  %.186.i.i.i.i = load i64, ptr %.185.i.i.i.i, align 8, !noalias !154
  %.187.i86.i.i.i = call i64 @guardlift_scalar_new(i64 %.183.i85.i.i.i, i64 %.186.i.i.i.i, i64 0), !noalias !154
  br label %B476.i.i.i.i

B352.i.i.i.i:                                     ; preds = %B126.i38.i.i.i
  %.22.i.i65.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 48
  %.23.i.i66.i.i.i = load i64, ptr %.22.i.i65.i.i.i, align 8, !noalias !157
  %.24.i.i67.i.i.i = icmp sgt i64 %.23.i.i66.i.i.i, -1
  br i1 %.24.i.i67.i.i.i, label %B68.i.i.i.i.i, label %B108.i.i.i.i.i

B68.i.i.i.i.i:                                    ; preds = %B352.i.i.i.i
  %.30.i.i82.i.i.i = getelementptr i64, ptr %.2, i64 %.23.i.i66.i.i.i
  br label %B146.i.i.i.i.i

B108.i.i.i.i.i:                                   ; preds = %B352.i.i.i.i
  %.41.i.i68.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 56
  %.42.i.i69.i.i.i = load i64, ptr %.41.i.i68.i.i.i, align 8, !noalias !157
  %.44.i.i70.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.42.i.i69.i.i.i
  br label %B146.i.i.i.i.i

B146.i.i.i.i.i:                                   ; preds = %B108.i.i.i.i.i, %B68.i.i.i.i.i
  %storemerge.in.i.i.i.i.i = phi ptr [ %.44.i.i70.i.i.i, %B108.i.i.i.i.i ], [ %.30.i.i82.i.i.i, %B68.i.i.i.i.i ]
  %storemerge.i.i71.i.i.i = load i64, ptr %storemerge.in.i.i.i.i.i, align 8, !noalias !157
  %.50.i.i72.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 32
  %.51.i.i73.i.i.i = load i64, ptr %.50.i.i72.i.i.i, align 8, !noalias !157
  %.55.i.i74.i.i.i = icmp eq i64 %.51.i.i73.i.i.i, 0
  br i1 %.55.i.i74.i.i.i, label %B184.i.i.i.i.i, label %B242.i.i.i.i.i

B184.i.i.i.i.i:                                   ; preds = %B146.i.i.i.i.i
  %.58.i.i.i.i.i = add nsw i64 %storemerge.i.i71.i.i.i, 56
  %.59.i.i.i.i.i = inttoptr i64 %.58.i.i.i.i.i to ptr
  %.61.i.i.i.i.i = load i64, ptr %.59.i.i.i.i.i, align 8, !noalias !157
  br label %B242.i.i.i.i.i

B242.i.i.i.i.i:                                   ; preds = %B184.i.i.i.i.i, %B146.i.i.i.i.i
  %descriptor.2.0.i.i.i.i.i = phi i64 [ %.61.i.i.i.i.i, %B184.i.i.i.i.i ], [ %.51.i.i73.i.i.i, %B146.i.i.i.i.i ]
  %.66.i.i75.i.i.i = call ptr @Py_IncRef(i64 %descriptor.2.0.i.i.i.i.i), !noalias !157
  %.69.i.i76.i.i.i = add nsw i64 %position.2.010.i.i.i.i, 72
  %.73.i.i.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 40
  %.74.i.i.i.i.i = load i64, ptr %.73.i.i.i.i.i, align 8, !noalias !157
  %.76.i.i.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 24
  %.77.i.i.i.i.i = load i64, ptr %.76.i.i.i.i.i, align 8, !noalias !157
  %.79.i.i77.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.77.i.i.i.i.i
  %.80.i.i78.i.i.i = load i64, ptr %.79.i.i77.i.i.i, align 8, !noalias !157
  %.84.i.i.i192.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 64
  %.85.i.i.i193.i.i = load i64, ptr %.84.i.i.i192.i.i, align 8, !noalias !157
  %.88.i.i79.i.i.i = add nsw i64 %.85.i.i.i193.i.i, %.80.i.i78.i.i.i
  %.90.i.i.i.i.i = add nsw i64 %storemerge.i.i71.i.i.i, 64
  %.91.i.i.i.i.i = inttoptr i64 %.90.i.i.i.i.i to ptr
  %.93.i.i.i194.i.i = load i32, ptr %.91.i.i.i.i.i, align 4, !noalias !157
  %.96.i.i.i.i.i = load i64, ptr %.95.i.i.i.i.i, align 8, !noalias !157
  %.99.i.i.i.i.i = shl nsw i64 %.74.i.i.i.i.i, 3
  %.100.i.i.i.i.i = add nsw i64 %.99.i.i.i.i.i, %.69.i.i76.i.i.i
  %.102.i.i.i.i.i = trunc i64 %.74.i.i.i.i.i to i32
  %.103.i.i.i.i.i = call i64 @guardlift_array_new(i64 %.96.i.i.i.i.i, i64 %descriptor.2.0.i.i.i.i.i, i32 %.102.i.i.i.i.i, i64 %.69.i.i76.i.i.i, i64 %.100.i.i.i.i.i, i64 %.88.i.i79.i.i.i, i32 %.93.i.i.i194.i.i, i64 0), !noalias !157
  %.110.i.i.i.i.i = icmp eq i64 %.103.i.i.i.i.i, 0
  br i1 %.110.i.i.i.i.i, label %B488.i.i.i.i, label %B542.i.i.i.i.i

B542.i.i.i.i.i:                                   ; preds = %B242.i.i.i.i.i
  %.5.i.i.i.i.i.i = call ptr @Py_IncRef(i64 %storemerge.i.i71.i.i.i), !noalias !160
  %.149.i.i.i.i.i = call i32 @guardlift_array_set_base(i64 %.103.i.i.i.i.i, i64 %storemerge.i.i71.i.i.i), !noalias !157
  %.151.not.i.i80.i.i.i = icmp eq i32 %.149.i.i.i.i.i, 0
  br i1 %.151.not.i.i80.i.i.i, label %B550.i.i.i.i, label %B608.i.i.i.i.i

B608.i.i.i.i.i:                                   ; preds = %B542.i.i.i.i.i
  %.154.i.i81.i.i.i = call ptr @Py_DecRef(i64 %.103.i.i.i.i.i), !noalias !157
  br label %B488.i.i.i.i

B412.i.i.i.i:                                     ; preds = %B126.i38.i.i.i
  %.243.i.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 24
  %.244.i.i.i.i = load i64, ptr %.243.i.i.i.i, align 8, !noalias !154
  %.246.i.i.i.i = getelementptr i64, ptr %.2, i64 %.244.i.i.i.i
  %.247.i41.i.i.i = load i64, ptr %.246.i.i.i.i, align 8, !noalias !154
  %.5.i.i.i.i.i = call ptr @Py_IncRef(i64 %.247.i41.i.i.i), !noalias !163
  br label %B476.i.i.i.i

B476.i.i.i.i:                                     ; preds = %B412.i.i.i.i, %B244.i.i.i.i, %B126.i38.i.i.i
  %made.4.0.i.i.i.i = phi i64 [ %.187.i86.i.i.i, %B244.i.i.i.i ], [ %.168.i.i.i.i, %B126.i38.i.i.i ], [ %.247.i41.i.i.i, %B412.i.i.i.i ]
  %.276.i.i.i.i = icmp eq i64 %made.4.0.i.i.i.i, 0
  br i1 %.276.i.i.i.i, label %B488.i.i.i.i, label %B550.i.i.i.i

B488.i.i.i.i:                                     ; preds = %B476.i.i.i.i, %B242.i.i.i.i.i, %B608.i.i.i.i.i
  %.293.i.i.i.i = load i64, ptr %.25.i.i.i.i, align 8, !noalias !154
  %.981.not.i.i44.i.i.i = icmp slt i64 %.293.i.i.i.i, 1
  br i1 %.981.not.i.i44.i.i.i, label %executed.exit.i.i, label %B104.preheader.i.i45.i.i.i

B104.preheader.i.i45.i.i.i:                       ; preds = %B488.i.i.i.i
  %.11.i.i46.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !166
  %.12.i.i47.i.i.i = shl nsw i64 %.11.i.i46.i.i.i, 3
  %.13.i.i48.i.i.i = add nsw i64 %.12.i.i47.i.i.i, %.12.i
  br label %B104.i.i49.i.i.i

B104.i.i49.i.i.i:                                 ; preds = %B216.i.i59.i.i.i, %B104.preheader.i.i45.i.i.i
  %.1074.in.i.i50.i.i.i = phi i64 [ %.1074.i.i52.i.i.i, %B216.i.i59.i.i.i ], [ %.293.i.i.i.i, %B104.preheader.i.i45.i.i.i ]
  %position.2.03.i.i51.i.i.i = phi i64 [ %.167.i.i63.i.i.i, %B216.i.i59.i.i.i ], [ %.13.i.i48.i.i.i, %B104.preheader.i.i45.i.i.i ]
  %.1074.i.i52.i.i.i = add nsw i64 %.1074.in.i.i50.i.i.i, -1
  %.137.i.i53.i.i.i = inttoptr i64 %position.2.03.i.i51.i.i.i to ptr
  %.142.i.i54.i.i.i = getelementptr i8, ptr %.137.i.i53.i.i.i, i64 16
  %.143.i.i55.i.i.i = load i64, ptr %.142.i.i54.i.i.i, align 8, !noalias !166
  %.145.i.i56.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i55.i.i.i
  %.146.i.i57.i.i.i = load i64, ptr %.145.i.i56.i.i.i, align 8, !noalias !166
  %.151.not.i74.i.i.i.i = icmp eq i64 %.146.i.i57.i.i.i, 0
  br i1 %.151.not.i74.i.i.i.i, label %B216.i.i59.i.i.i, label %B186.i.i58.i.i.i

B186.i.i58.i.i.i:                                 ; preds = %B104.i.i49.i.i.i
  %.154.i75.i.i.i.i = call ptr @Py_DecRef(i64 %.146.i.i57.i.i.i), !noalias !166
  br label %B216.i.i59.i.i.i

B216.i.i59.i.i.i:                                 ; preds = %B186.i.i58.i.i.i, %B104.i.i49.i.i.i
  %.161.i.i60.i.i.i = getelementptr i8, ptr %.137.i.i53.i.i.i, i64 8
  %.162.i.i61.i.i.i = load i64, ptr %.161.i.i60.i.i.i, align 8, !noalias !166
  %.165.i.i62.i.i.i = shl nsw i64 %.162.i.i61.i.i.i, 3
  %.167.i.i63.i.i.i = add nsw i64 %.165.i.i62.i.i.i, %position.2.03.i.i51.i.i.i
  %.98.i.i64.i.i.i = icmp samesign ugt i64 %.1074.in.i.i50.i.i.i, 1
  br i1 %.98.i.i64.i.i.i, label %B104.i.i49.i.i.i, label %executed.exit.i.i

B550.i.i.i.i:                                     ; preds = %B476.i.i.i.i, %B542.i.i.i.i.i
  %made.4.06.i.i.i.i = phi i64 [ %made.4.0.i.i.i.i, %B476.i.i.i.i ], [ %.103.i.i.i.i.i, %B542.i.i.i.i.i ]
  %.331.i.i.i.i = load i64, ptr %.164.i.i190.i.i, align 8, !noalias !154
  %.334.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.331.i.i.i.i
  store i64 %made.4.06.i.i.i.i, ptr %.334.i.i.i.i, align 8, !noalias !154
  %.339.i.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 8
  %.340.i.i.i.i = load i64, ptr %.339.i.i.i.i, align 8, !noalias !154
  %.343.i.i.i.i = shl nsw i64 %.340.i.i.i.i, 3
  %.345.i.i.i.i = add nsw i64 %.343.i.i.i.i, %position.2.010.i.i.i.i
  %.114.i42.i.i.i = icmp samesign ugt i64 %.12311.in.i.i.i.i, 1
  br i1 %.114.i42.i.i.i, label %B126.i38.i.i.i, label %B450.i.i.i

B450.i.i.i:                                       ; preds = %B550.i.i.i.i, %B410.i.i.i
  %.16.i88.i.i.i = getelementptr i8, ptr %.17.i, i64 80
  %.17.i89.i.i.i = load i64, ptr %.16.i88.i.i.i, align 8, !noalias !169
  %.22.i90.i.i.i = icmp eq i64 %.17.i89.i.i.i, 0
  br i1 %.22.i90.i.i.i, label %B82.i.i.i.i, label %B134.i.i.i.i

B82.i.i.i.i:                                      ; preds = %B450.i.i.i
  %.32.i117.i.i.i = getelementptr i8, ptr %.17.i, i64 40
  %.33.i.i191.i.i = load i64, ptr %.32.i117.i.i.i, align 8, !noalias !169
  %.5.i.i118.i.i.i = call ptr @Py_IncRef(i64 %.33.i.i191.i.i), !noalias !172
  br label %executed.exit.i.i

B134.i.i.i.i:                                     ; preds = %B450.i.i.i
  %.66.i.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !169
  %.67.i91.i.i.i = shl nsw i64 %.66.i.i.i.i, 3
  %.69.i.i.i.i = add nsw i64 %.67.i91.i.i.i, %.12.i
  %.74.i.i.i.i = icmp eq i64 %.17.i89.i.i.i, 1
  br i1 %.74.i.i.i.i, label %B194.i.i.i.i, label %B258.i.i.i.i

B194.i.i.i.i:                                     ; preds = %B134.i.i.i.i
  %.83.i.i.i.i = inttoptr i64 %.69.i.i.i.i to ptr
  %.86.i.i.i.i = getelementptr i8, ptr %.83.i.i.i.i, i64 16
  %.87.i.i.i.i = load i64, ptr %.86.i.i.i.i, align 8, !noalias !169
  %.89.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.87.i.i.i.i
  %.90.i.i.i.i = load i64, ptr %.89.i.i.i.i, align 8, !noalias !169
  br label %executed.exit.i.i

B258.i.i.i.i:                                     ; preds = %B134.i.i.i.i
  %.97.i.i.i.i = load i64, ptr %.25.i.i.i.i, align 8, !noalias !169
  %.104.i.i.i.i = call i64 @PyTuple_New(i64 %.97.i.i.i.i), !noalias !169
  %.109.i.i.i.i = icmp eq i64 %.104.i.i.i.i, 0
  %.981.not.i.i92.i.i.i = icmp slt i64 %.97.i.i.i.i, 1
  br i1 %.109.i.i.i.i, label %B326.i.i.i.i, label %B364.endif.i.i.i.i

B326.i.i.i.i:                                     ; preds = %B258.i.i.i.i
  br i1 %.981.not.i.i92.i.i.i, label %executed.exit.i.i, label %B104.preheader.i.i95.i.i.i

B104.preheader.i.i95.i.i.i:                       ; preds = %B326.i.i.i.i
  %.11.i.i96.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !175
  %.12.i.i97.i.i.i = shl nsw i64 %.11.i.i96.i.i.i, 3
  %.13.i.i98.i.i.i = add nsw i64 %.12.i.i97.i.i.i, %.12.i
  br label %B104.i.i99.i.i.i

B104.i.i99.i.i.i:                                 ; preds = %B216.i.i111.i.i.i, %B104.preheader.i.i95.i.i.i
  %.1074.in.i.i100.i.i.i = phi i64 [ %.1074.i.i102.i.i.i, %B216.i.i111.i.i.i ], [ %.97.i.i.i.i, %B104.preheader.i.i95.i.i.i ]
  %position.2.03.i.i101.i.i.i = phi i64 [ %.167.i.i115.i.i.i, %B216.i.i111.i.i.i ], [ %.13.i.i98.i.i.i, %B104.preheader.i.i95.i.i.i ]
  %.1074.i.i102.i.i.i = add nsw i64 %.1074.in.i.i100.i.i.i, -1
  %.137.i.i103.i.i.i = inttoptr i64 %position.2.03.i.i101.i.i.i to ptr
  %.142.i.i104.i.i.i = getelementptr i8, ptr %.137.i.i103.i.i.i, i64 16
  %.143.i.i105.i.i.i = load i64, ptr %.142.i.i104.i.i.i, align 8, !noalias !175
  %.145.i.i106.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i105.i.i.i
  %.146.i.i107.i.i.i = load i64, ptr %.145.i.i106.i.i.i, align 8, !noalias !175
  %.151.not.i.i108.i.i.i = icmp eq i64 %.146.i.i107.i.i.i, 0
  br i1 %.151.not.i.i108.i.i.i, label %B216.i.i111.i.i.i, label %B186.i.i109.i.i.i

B186.i.i109.i.i.i:                                ; preds = %B104.i.i99.i.i.i
  %.154.i.i110.i.i.i = call ptr @Py_DecRef(i64 %.146.i.i107.i.i.i), !noalias !175
  br label %B216.i.i111.i.i.i

B216.i.i111.i.i.i:                                ; preds = %B186.i.i109.i.i.i, %B104.i.i99.i.i.i
  %.161.i.i112.i.i.i = getelementptr i8, ptr %.137.i.i103.i.i.i, i64 8
  %.162.i.i113.i.i.i = load i64, ptr %.161.i.i112.i.i.i, align 8, !noalias !175
  %.165.i.i114.i.i.i = shl nsw i64 %.162.i.i113.i.i.i, 3
  %.167.i.i115.i.i.i = add nsw i64 %.165.i.i114.i.i.i, %position.2.03.i.i101.i.i.i
  %.98.i.i116.i.i.i = icmp samesign ugt i64 %.1074.in.i.i100.i.i.i, 1
  br i1 %.98.i.i116.i.i.i, label %B104.i.i99.i.i.i, label %executed.exit.i.i

B396.i.i.i.i:                                     ; preds = %B364.endif.i.i.i.i, %B396.i.i.i.i
  %position.2.04.i.i.i.i = phi i64 [ %.292.i.i.i.i, %B396.i.i.i.i ], [ %.69.i.i.i.i, %B364.endif.i.i.i.i ]
  %.185.02.i.i.i.i = phi i64 [ %.254.i.i.i.i, %B396.i.i.i.i ], [ 0, %B364.endif.i.i.i.i ]
  %.254.i.i.i.i = add nuw nsw i64 %.185.02.i.i.i.i, 1
  %.280.i.i.i.i = inttoptr i64 %position.2.04.i.i.i.i to ptr
  %.281.i.i.i.i = getelementptr i8, ptr %.280.i.i.i.i, i64 16
  %.282.i.i.i.i = load i64, ptr %.281.i.i.i.i, align 8, !noalias !169
  %.284.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.282.i.i.i.i
  %.285.i.i.i.i = load i64, ptr %.284.i.i.i.i, align 8, !noalias !169
  %.287.i.i.i.i = call i32 @PyTuple_SetItem(i64 %.104.i.i.i.i, i64 %.185.02.i.i.i.i, i64 %.285.i.i.i.i), !noalias !169
  %.288.i.i.i.i = getelementptr i8, ptr %.280.i.i.i.i, i64 8
  %.289.i.i.i.i = load i64, ptr %.288.i.i.i.i, align 8, !noalias !169
  %.290.i.i.i.i = shl nsw i64 %.289.i.i.i.i, 3
  %.292.i.i.i.i = add nsw i64 %.290.i.i.i.i, %position.2.04.i.i.i.i
  %exitcond.not.i93.i.i.i = icmp eq i64 %.97.i.i.i.i, %.254.i.i.i.i
  br i1 %exitcond.not.i93.i.i.i, label %executed.exit.i.i, label %B396.i.i.i.i

B364.endif.i.i.i.i:                               ; preds = %B258.i.i.i.i
  br i1 %.981.not.i.i92.i.i.i, label %executed.exit.i.i, label %B396.i.i.i.i

executed.exit.i.i: ; preds = %B216.i.i.i.i.i, %B216.i.i59.i.i.i, %B396.i.i.i.i, %B216.i.i111.i.i.i, %B364.endif.i.i.i.i, %B326.i.i.i.i, %B194.i.i.i.i, %B82.i.i.i.i, %B488.i.i.i.i, %B316.i.i.i, %drop.exit.i.i.i, %B278.i.i.i.i
  %.sink.i94.sink.i.i.i = phi i64 [ 0, %B488.i.i.i.i ], [ %.197.i189.i.i, %B316.i.i.i ], [ 0, %drop.exit.i.i.i ], [ 0, %B278.i.i.i.i ], [ 0, %B216.i.i59.i.i.i ], [ %.104.i.i.i.i, %B396.i.i.i.i ], [ %.90.i.i.i.i, %B194.i.i.i.i ], [ %.33.i.i191.i.i, %B82.i.i.i.i ], [ 0, %B326.i.i.i.i ], [ %.104.i.i.i.i, %B364.endif.i.i.i.i ], [ 0, %B216.i.i111.i.i.i ], [ 0, %B216.i.i.i.i.i ]
  br i1 %.203.not.i.i, label %B816.i.i, label %B786.i.i

B786.i.i:                                         ; preds = %executed.exit.i.i
  %.5.i225.i.i = inttoptr i64 %.198.i.i to ptr
  %.10.i.i.i = getelementptr i8, ptr %.5.i225.i.i, i64 328
  %.11.i226.i.i = load i64, ptr %.10.i.i.i, align 8, !noalias !178
  %.12.i.i.i = add nsw i64 %.11.i226.i.i, -1
  store i64 %.12.i.i.i, ptr %.10.i.i.i, align 8, !noalias !178
  %.19.i.i.i = icmp eq i64 %.12.i.i.i, 0
  br i1 %.19.i.i.i, label %B110.i.i.i, label %B816.i.i

B110.i.i.i:                                       ; preds = %B786.i.i
  %.22.i227.i.i = getelementptr i8, ptr %.5.i225.i.i, i64 336
  %.23.i228.i.i = load i64, ptr %.22.i227.i.i, align 8, !noalias !178
  %.24.not.i229.i.i = icmp eq i64 %.23.i228.i.i, 0
  br i1 %.24.not.i229.i.i, label %B816.i.i, label %B144.i.i.i

B144.i.i.i:                                       ; preds = %B110.i.i.i, %B364.i.i.i
  %.31.i.i.i = phi i64 [ %.50.i.i.i, %B364.i.i.i ], [ %.23.i228.i.i, %B110.i.i.i ]
  %.32.i.i.i = inttoptr i64 %.31.i.i.i to ptr
  %.34.i.i.i = load i64, ptr %.32.i.i.i, align 8, !noalias !178
  store i64 %.34.i.i.i, ptr %.22.i227.i.i, align 8, !noalias !178
  %.39.i.i.i = getelementptr i8, ptr %.32.i.i.i, i64 8
  %.40.i.i.i = load i64, ptr %.39.i.i.i, align 8, !noalias !178
  %.41.i.i.i = call ptr @PyMem_RawFree(i64 %.31.i.i.i), !noalias !178
  %.42.i.i.i = call ptr @Py_DecRef(i64 %.40.i.i.i), !noalias !178
  %.45.i.i.i = load i64, ptr %.10.i.i.i, align 8, !noalias !178
  %.46.i.i.i = icmp eq i64 %.45.i.i.i, 0
  br i1 %.46.i.i.i, label %B364.i.i.i, label %B816.i.i

B364.i.i.i:                                       ; preds = %B144.i.i.i
  %.50.i.i.i = load i64, ptr %.22.i227.i.i, align 8, !noalias !178
  %.51.not.i.i.i = icmp eq i64 %.50.i.i.i, 0
  br i1 %.51.not.i.i.i, label %B816.i.i, label %B144.i.i.i

B816.i.i:                                         ; preds = %B364.i.i.i, %B144.i.i.i, %B110.i.i.i, %B786.i.i, %executed.exit.i.i
  %.596.i.i = load i64, ptr %.381.i.i, align 8, !noalias !15
  %.67856.not.i.i = icmp slt i64 %.596.i.i, 1
  br i1 %.67856.not.i.i, label %run.exit.i, label %B870.lr.ph.i.i

B870.lr.ph.i.i:                                   ; preds = %B816.i.i
  %53 = getelementptr i64, ptr %.22.i.i, i64 %.376.i.i
  br label %B870.i.i

B870.i.i:                                         ; preds = %B870.i.i, %B870.lr.ph.i.i
  %.622.057.i.i = phi i64 [ 0, %B870.lr.ph.i.i ], [ %.691.i.i, %B870.i.i ]
  %.691.i.i = add nuw nsw i64 %.622.057.i.i, 1
  %.719.i.i = getelementptr i64, ptr %53, i64 %.622.057.i.i
  %.720.i.i = load i64, ptr %.719.i.i, align 8, !noalias !15
  %.721.i.i = call ptr @Py_DecRef(i64 %.720.i.i), !noalias !15
  %exitcond93.not.i.i = icmp eq i64 %.691.i.i, %.596.i.i
  br i1 %exitcond93.not.i.i, label %run.exit.i, label %B870.i.i

common.ret.sink.split.i.i:                        ; preds = %B286.i.i.i.i.i, %overlapping.exit.i.i, %B780.i.i.i, %watched_slots_fit.exit.i.i, %B226.i.i, %B142.i.i
  %.337.i.i = getelementptr i8, ptr %.17.i, i64 24
  %.338.i.i = load i64, ptr %.337.i.i, align 8, !noalias !15
  %.5.i181.i.i = call ptr @Py_IncRef(i64 %.338.i.i), !noalias !15
  br label %run.exit.i

run.exit.i: ; preds = %B870.i.i, %common.ret.sink.split.i.i, %B816.i.i
  %.338.sink.i.i = phi i64 [ %.338.i.i, %common.ret.sink.split.i.i ], [ %.sink.i94.sink.i.i.i, %B816.i.i ], [ %.sink.i94.sink.i.i.i, %B870.i.i ]
  br i1 %.145.i, label %launch.exit, label %B598.i

B598.i:                                           ; preds = %run.exit.i
  %.231.i = getelementptr i8, ptr %.17.i, i64 264
  %.232.i = load i64, ptr %.231.i, align 8, !noalias !0
  %.233.i = inttoptr i64 %.232.i to ptr
  %.235.i = load i64, ptr %.233.i, align 8, !noalias !0
  store i64 %.235.i, ptr %.22.i.i, align 8, !noalias !0
  store i64 %frame_address.0.i, ptr %.233.i, align 8, !noalias !0
  br label %launch.exit

launch.exit: ; preds = %B126.i, %B240.i, %B360.i, %B530.i, %run.exit.i, %B598.i
  %.115.sink.i = phi i64 [ %.115.i, %B360.i ], [ %.29.i, %B126.i ], [ 0, %B240.i ], [ %.193.i, %B530.i ], [ %.338.sink.i.i, %run.exit.i ], [ %.338.sink.i.i, %B598.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.58.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %.151.i)
  ret i64 %.115.sink.i
}

declare ptr @Py_IncRef(i64) local_unnamed_addr

declare i32 @PyContextVar_Get(i64, i64, i64) local_unnamed_addr

declare ptr @Py_DecRef(i64) local_unnamed_addr

declare ptr @PyMem_RawFree(i64) local_unnamed_addr

declare i64 @PyMem_RawMalloc(i64) local_unnamed_addr

declare i64 @PyEval_SaveThread() local_unnamed_addr

declare ptr @PyEval_RestoreThread(i64) local_unnamed_addr

declare i64 @PyErr_Occurred() local_unnamed_addr

declare i64 @PyTuple_New(i64) local_unnamed_addr

declare i32 @PyTuple_SetItem(i64, i64, i64) local_unnamed_addr

declare i64 @guardlift_scalar_new(i64, i64, i64) local_unnamed_addr

declare i64 @guardlift_array_new(i64, i64, i32, i64, i64, i64, i32, i64) local_unnamed_addr

declare i32 @guardlift_array_set_base(i64, i64) local_unnamed_addr

declare i32 @PyGILState_Ensure() local_unnamed_addr

declare i64 @PyLong_FromLongLong(i64) local_unnamed_addr

declare i64 @PyObject_CallOneArg(i64, i64) local_unnamed_addr

declare void @PyGILState_Release(i32) local_unnamed_addr

declare i32 @PyObject_IsTrue(i64) local_unnamed_addr

declare i32 @PyErr_CheckSignals() local_unnamed_addr

define internal fastcc void @run_job(ptr noalias nonnull writeonly captures(none) %retptr, i64 %arg.team_address, i64 %arg.job_address) unnamed_addr {
B0:
  %.78 = alloca ptr, align 8
  store ptr null, ptr %.78, align 8
  %.297 = alloca ptr, align 8
  store ptr null, ptr %.297, align 8
  %.11 = inttoptr i64 %arg.team_address to ptr
  %.13 = inttoptr i64 %arg.job_address to ptr
  %.21 = getelementptr i8, ptr %.13, i64 8
  %.23 = getelementptr i8, ptr %.11, i64 8
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.13, i8 0, i64 16, i1 false)
  %.24 = load i64, ptr %.23, align 8
  %.26 = getelementptr i8, ptr %.13, i64 16
  %.27 = load i64, ptr %.26, align 8
  %.11.i = tail call i64 @llvm.smin.i64(i64 %.27, i64 %.24)
  %.58 = add nsw i64 %.11.i, -1
  %.63 = icmp slt i64 %.11.i, 2
  br i1 %.63, label %B254, label %B198

B198:                                             ; preds = %B0
  %.67 = add nsw i64 %arg.team_address, 16
  %.68 = inttoptr i64 %.67 to ptr
  %.69 = cmpxchg ptr %.68, i64 0, i64 1 seq_cst seq_cst, align 8
  %.70 = extractvalue { i64, i1 } %.69, 1
  br i1 %.70, label %B310, label %B254

B254:                                             ; preds = %B0, %B198
  call fastcc void @work(ptr nonnull %.78, i64 %arg.job_address)
  %.106 = load i64, ptr %.21, align 8
  br label %common.ret

B310:                                             ; preds = %B198
  %.115 = add nsw i64 %arg.team_address, 64
  %.121 = add nsw i64 %arg.team_address, 24
  %.123 = inttoptr i64 %.121 to ptr
  %.124 = atomicrmw xchg ptr %.123, i64 %arg.job_address seq_cst, align 8
  %.126 = inttoptr i64 %.115 to ptr
  %.127 = atomicrmw xchg ptr %.126, i64 4294967296 seq_cst, align 8
  %.130 = add nsw i64 %arg.team_address, 32
  %.131 = inttoptr i64 %.130 to ptr
  %.132 = atomicrmw add ptr %.131, i64 1 seq_cst, align 8
  %.135 = add nsw i64 %arg.team_address, 40
  %.136 = inttoptr i64 %.135 to ptr
  %.137 = load atomic i64, ptr %.136 seq_cst, align 8
  %.11.i78 = tail call i64 @llvm.smin.i64(i64 %.137, i64 %.58)
  %.2481.not = icmp slt i64 %.11.i78, 1
  br i1 %.2481.not, label %B650, label %B594.lr.ph

B594.lr.ph:                                       ; preds = %B310
  %.288 = add nsw i64 %arg.team_address, 128
  br label %B594

B594:                                             ; preds = %B594.lr.ph, %B594
  %.195.02 = phi i64 [ %.11.i78, %B594.lr.ph ], [ %.257, %B594 ]
  %.257 = add nsw i64 %.195.02, -1
  %.289 = tail call i32 @sem_post(i64 %.288)
  %.248 = icmp samesign ugt i64 %.195.02, 1
  br i1 %.248, label %B594, label %B650

B650:                                             ; preds = %B594, %B310
  store ptr null, ptr %.297, align 8
  call fastcc void @work(ptr nonnull %.297, i64 %arg.job_address)
  %.324 = atomicrmw and ptr %.126, i64 -4294967297 seq_cst, align 8
  %.330 = load atomic i64, ptr %.126 seq_cst, align 8
  %.331.not = icmp eq i64 %.330, 0
  br i1 %.331.not, label %B954, label %B766

B766:                                             ; preds = %B650, %B916
  %looks.2.0 = phi i64 [ %.337, %B916 ], [ 0, %B650 ]
  %.337 = add nuw nsw i64 %looks.2.0, 1
  %.344 = icmp samesign ult i64 %looks.2.0, 1999
  br i1 %.344, label %B798, label %B828

B798:                                             ; preds = %B766
  tail call void @llvm.x86.sse2.pause()
  br label %B916

B828:                                             ; preds = %B766
  %.350 = icmp samesign ult i64 %looks.2.0, 3999
  br i1 %.350, label %B856, label %B886

B856:                                             ; preds = %B828
  %.352 = tail call i32 @sched_yield()
  br label %B916

B886:                                             ; preds = %B828
  %.355 = tail call i32 @usleep(i32 50)
  br label %B916

B916:                                             ; preds = %B886, %B856, %B798
  %.364 = load atomic i64, ptr %.126 seq_cst, align 8
  %.365.not = icmp eq i64 %.364, 0
  br i1 %.365.not, label %B954, label %B766

common.ret:                                       ; preds = %B254, %B954
  %storemerge = phi i64 [ %.389, %B954 ], [ %.106, %B254 ]
  store i64 %storemerge, ptr %retptr, align 8
  ret void

B954:                                             ; preds = %B916, %B650
  %.382 = atomicrmw xchg ptr %.68, i64 0 seq_cst, align 8
  %.385 = add nsw i64 %arg.job_address, 8
  %.388 = inttoptr i64 %.385 to ptr
  %.389 = load atomic i64, ptr %.388 seq_cst, align 8
  br label %common.ret
}

define internal fastcc void @work(ptr noalias nonnull writeonly captures(none) %retptr, i64 %arg.job_address) unnamed_addr {
B0:
  %.93.i = alloca [1024 x i8], align 64
  %.8 = inttoptr i64 %arg.job_address to ptr
  %.16 = atomicrmw add ptr %.8, i64 1 seq_cst, align 8
  %.21 = getelementptr i8, ptr %.8, i64 16
  %.22 = load i64, ptr %.21, align 8
  %.23 = icmp slt i64 %.16, %.22
  br i1 %.23, label %B122.preheader, label %common.ret

B122.preheader:                                   ; preds = %B0
  %.29 = getelementptr i8, ptr %.8, i64 64
  %.9.i = getelementptr i8, ptr %.8, i64 56
  %.13.i4 = getelementptr i8, ptr %.8, i64 80
  %.42.i = getelementptr i8, ptr %.8, i64 48
  %.88.i = getelementptr i8, ptr %.8, i64 72
  %.94.i = ptrtoint ptr %.93.i to i64
  %.168.i = getelementptr i8, ptr %.8, i64 88
  %.172.i = getelementptr i8, ptr %.8, i64 96
  %.226.i = getelementptr i8, ptr %.8, i64 24
  %.229.i = getelementptr i8, ptr %.8, i64 32
  %.46.i = getelementptr i8, ptr %.8, i64 40
  %.111 = add nsw i64 %arg.job_address, 8
  %.113 = inttoptr i64 %.111 to ptr
  br label %B122

B122:                                             ; preds = %B122.preheader, %B286
  %chunk.2.0 = phi i64 [ %.124, %B286 ], [ %.16, %B122.preheader ]
  %.30 = load i64, ptr %.29, align 8
  %.31 = icmp eq i64 %.30, 0
  br i1 %.31, label %B156, label %B188

B156:                                             ; preds = %B122
  %.7.i = load i64, ptr %.9.i, align 8, !noalias !181
  %.8.i = mul nsw i64 %.7.i, %chunk.2.0
  %.11.i = add nsw i64 %.8.i, %.7.i
  %.13.i = load i64, ptr %.42.i, align 8, !noalias !181
  %.11.i.i = call i64 @llvm.smin.i64(i64 %.13.i, i64 %.11.i)
  %.45.i = load i64, ptr %.226.i, align 8, !noalias !181
  %.47.i = load i64, ptr %.46.i, align 8, !noalias !181
  %.49.i = load i64, ptr %.229.i, align 8, !noalias !181
  %.50.i = inttoptr i64 %.45.i to ptr
  %.51.i = call i64 %.50.i(i64 %.47.i, i64 %.49.i, i64 %.8.i, i64 %.11.i.i), !noalias !181
  br label %B218

B188:                                             ; preds = %B122
  call void @llvm.lifetime.start.p0(ptr nonnull %.93.i)
  %.10.i = load i64, ptr %.9.i, align 8, !noalias !184
  %.11.i3 = mul nsw i64 %.10.i, %chunk.2.0
  %.14.i = load i64, ptr %.13.i4, align 8, !noalias !184
  %.15.i = inttoptr i64 %.14.i to ptr
  %.17.idx.i = shl i64 %.11.i3, 4
  %.17.i = getelementptr i8, ptr %.15.i, i64 %.17.idx.i
  %.18.i = load i64, ptr %.17.i, align 8, !noalias !184
  %.21.i = getelementptr i8, ptr %.17.i, i64 8
  %.22.i = load i64, ptr %.21.i, align 8, !noalias !184
  %.40.i = add nsw i64 %.11.i3, %.10.i
  %.43.i = load i64, ptr %.42.i, align 8, !noalias !184
  %.11.i.i5 = call i64 @llvm.smin.i64(i64 %.43.i, i64 %.40.i)
  %.75.idx.i = shl i64 %.11.i.i5, 4
  %.75.i = getelementptr i8, ptr %.15.i, i64 %.75.idx.i
  %.76.i = load i64, ptr %.75.i, align 8, !noalias !184
  %.79.i = getelementptr i8, ptr %.75.i, i64 8
  %.80.i = load i64, ptr %.79.i, align 8, !noalias !184
  %.80.fr.i = freeze i64 %.80.i
  %.89.i = load i64, ptr %.88.i, align 8, !noalias !184
  %.107.i = icmp slt i64 %.18.i, %.76.i
  br i1 %.107.i, label %B364.preheader.i, label %B340.i

B340.i:                                           ; preds = %B188
  %.121.i = icmp eq i64 %.18.i, %.76.i
  %.141.i = icmp slt i64 %.22.i, %.80.fr.i
  %or.cond.i = select i1 %.121.i, i1 %.141.i, i1 false
  br i1 %or.cond.i, label %B364.preheader.i, label %run_rows.exit

B364.preheader.i:                                 ; preds = %B340.i, %B188
  %.159.i = shl i64 %.89.i, 4
  %.160.i = or disjoint i64 %.159.i, 8
  %.1021.not.i.i = icmp slt i64 %.89.i, 1
  %.270.i = icmp sgt i64 %.80.fr.i, 0
  br i1 %.1021.not.i.i, label %B364.preheader.split.us.i, label %B364.preheader.split.i

B364.preheader.split.us.i:                        ; preds = %B364.preheader.i
  %.204.us.peel.i = icmp eq i64 %.18.i, %.76.i
  br i1 %.270.i, label %B364.us.preheader.i, label %B364.us.us.preheader.i

B364.us.us.preheader.i:                           ; preds = %B364.preheader.split.us.i
  br i1 %.204.us.peel.i, label %B610.us.us.peel.i, label %B570.us.us.peel.i

B570.us.us.peel.i:                                ; preds = %B364.us.us.preheader.i
  %.161.us.us.peel.i = mul i64 %.160.i, %.18.i
  %.162.us.us.peel.i = add nsw i64 %.30, %.161.us.us.peel.i
  %.13.i.us.us.peel.i = inttoptr i64 %.162.us.us.peel.i to ptr
  %.218.us.us.peel.i = load i64, ptr %.13.i.us.us.peel.i, align 8, !noalias !184
  br label %B610.us.us.peel.i

B610.us.us.peel.i:                                ; preds = %B570.us.us.peel.i, %B364.us.us.preheader.i
  %storemerge.us.us.peel.i = phi i64 [ %.218.us.us.peel.i, %B570.us.us.peel.i ], [ %.80.fr.i, %B364.us.us.preheader.i ]
  %.227.us.us.peel.i = load i64, ptr %.226.i, align 8, !noalias !184
  %.230.us.us.peel.i = load i64, ptr %.229.i, align 8, !noalias !184
  %.233.us.us.peel.i = inttoptr i64 %.227.us.us.peel.i to ptr
  %.234.us.us.peel.i = call i64 %.233.us.us.peel.i(i64 %.94.i, i64 %.230.us.us.peel.i, i64 %.22.i, i64 %storemerge.us.us.peel.i), !noalias !184
  %.245.us.us.peel.i = add nsw i64 %.18.i, 1
  %.256.us.us.peel.i = icmp slt i64 %.245.us.us.peel.i, %.76.i
  br i1 %.256.us.us.peel.i, label %B610.us.us.i, label %run_rows.exit

B364.us.preheader.i:                              ; preds = %B364.preheader.split.us.i
  br i1 %.204.us.peel.i, label %B610.us.peel.i, label %B570.us.peel.i

B570.us.peel.i:                                   ; preds = %B364.us.preheader.i
  %.161.us.peel.i = mul i64 %.160.i, %.18.i
  %.162.us.peel.i = add nsw i64 %.30, %.161.us.peel.i
  %.13.i.us.peel.i = inttoptr i64 %.162.us.peel.i to ptr
  %.218.us.peel.i = load i64, ptr %.13.i.us.peel.i, align 8, !noalias !184
  br label %B610.us.peel.i

B610.us.peel.i:                                   ; preds = %B570.us.peel.i, %B364.us.preheader.i
  %storemerge.us.peel.i = phi i64 [ %.218.us.peel.i, %B570.us.peel.i ], [ %.80.fr.i, %B364.us.preheader.i ]
  %.227.us.peel.i = load i64, ptr %.226.i, align 8, !noalias !184
  %.230.us.peel.i = load i64, ptr %.229.i, align 8, !noalias !184
  %.233.us.peel.i = inttoptr i64 %.227.us.peel.i to ptr
  %.234.us.peel.i = call i64 %.233.us.peel.i(i64 %.94.i, i64 %.230.us.peel.i, i64 %.22.i, i64 %storemerge.us.peel.i), !noalias !184
  br i1 %.107.i, label %B364.us.i, label %run_rows.exit

B610.us.us.i:                                     ; preds = %B610.us.us.peel.i, %B610.us.us.i
  %row.2.0.us.us.i = phi i64 [ %.245.us.us.i, %B610.us.us.i ], [ %.245.us.us.peel.i, %B610.us.us.peel.i ]
  %status.2.0.us.us.i = phi i64 [ %.238.us.us.i, %B610.us.us.i ], [ %.234.us.us.peel.i, %B610.us.us.peel.i ]
  %.155.us.us.i = load i64, ptr %.29, align 8, !noalias !184
  %.161.us.us.i = mul i64 %row.2.0.us.us.i, %.160.i
  %.162.us.us.i = add nsw i64 %.155.us.us.i, %.161.us.us.i
  %.13.i.us.us.i = inttoptr i64 %.162.us.us.i to ptr
  %.218.us.us.i = load i64, ptr %.13.i.us.us.i, align 8, !noalias !184
  %.227.us.us.i = load i64, ptr %.226.i, align 8, !noalias !184
  %.230.us.us.i = load i64, ptr %.229.i, align 8, !noalias !184
  %.233.us.us.i = inttoptr i64 %.227.us.us.i to ptr
  %.234.us.us.i = call i64 %.233.us.us.i(i64 %.94.i, i64 %.230.us.us.i, i64 0, i64 %.218.us.us.i), !noalias !184
  %.238.us.us.i = or i64 %.234.us.us.i, %status.2.0.us.us.i
  %.245.us.us.i = add i64 %row.2.0.us.us.i, 1
  %exitcond.not = icmp eq i64 %.245.us.us.i, %.76.i
  br i1 %exitcond.not, label %run_rows.exit, label %B610.us.us.i, !llvm.loop !187

B364.us.i:                                        ; preds = %B610.us.peel.i, %B610.us.i
  %row.2.0.us.in.i = phi i64 [ %row.2.0.us.i, %B610.us.i ], [ %.18.i, %B610.us.peel.i ]
  %status.2.0.us.i = phi i64 [ %.238.us.i, %B610.us.i ], [ %.234.us.peel.i, %B610.us.peel.i ]
  %row.2.0.us.i = add nsw i64 %row.2.0.us.in.i, 1
  %.204.us.i = icmp eq i64 %row.2.0.us.i, %.76.i
  br i1 %.204.us.i, label %B610.us.i, label %B570.us.i

B570.us.i:                                        ; preds = %B364.us.i
  %.155.us.i = load i64, ptr %.29, align 8, !noalias !184
  %.161.us.i = mul i64 %row.2.0.us.i, %.160.i
  %.162.us.i = add nsw i64 %.155.us.i, %.161.us.i
  %.13.i.us.i = inttoptr i64 %.162.us.i to ptr
  %.218.us.i = load i64, ptr %.13.i.us.i, align 8, !noalias !184
  br label %B610.us.i

B610.us.i:                                        ; preds = %B570.us.i, %B364.us.i
  %storemerge.us.i = phi i64 [ %.218.us.i, %B570.us.i ], [ %.80.fr.i, %B364.us.i ]
  %.227.us.i = load i64, ptr %.226.i, align 8, !noalias !184
  %.230.us.i = load i64, ptr %.229.i, align 8, !noalias !184
  %.233.us.i = inttoptr i64 %.227.us.i to ptr
  %.234.us.i = call i64 %.233.us.i(i64 %.94.i, i64 %.230.us.i, i64 0, i64 %storemerge.us.i), !noalias !184
  %.238.us.i = or i64 %.234.us.i, %status.2.0.us.i
  %exitcond7.not = icmp eq i64 %row.2.0.us.i, %.76.i
  br i1 %exitcond7.not, label %run_rows.exit, label %B364.us.i, !llvm.loop !189

B364.preheader.split.i:                           ; preds = %B364.preheader.i
  br i1 %.270.i, label %B364.i.preheader, label %B364.us1.i.preheader

B364.us1.i.preheader:                             ; preds = %B364.preheader.split.i
  %xtraiter = and i64 %.89.i, 1
  %0 = icmp eq i64 %.89.i, 1
  %unroll_iter = and i64 %.89.i, 9223372036854775806
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  %lcmp.mod7 = icmp ne i64 %xtraiter, 0
  br label %B364.us1.i

B364.i.preheader:                                 ; preds = %B364.preheader.split.i
  %xtraiter8 = and i64 %.89.i, 1
  %1 = icmp eq i64 %.89.i, 1
  %unroll_iter11 = and i64 %.89.i, 9223372036854775806
  %lcmp.mod9.not = icmp eq i64 %xtraiter8, 0
  %lcmp.mod10 = icmp ne i64 %xtraiter8, 0
  br label %B364.i

B364.us1.i:                                       ; preds = %B364.us1.i.preheader, %B610.us15.i
  %element.2.0.us2.i = phi i64 [ 0, %B610.us15.i ], [ %.22.i, %B364.us1.i.preheader ]
  %row.2.0.us3.i = phi i64 [ %.245.us22.i, %B610.us15.i ], [ %.18.i, %B364.us1.i.preheader ]
  %status.2.0.us4.i = phi i64 [ %.238.us21.i, %B610.us15.i ], [ 0, %B364.us1.i.preheader ]
  %.155.us5.i = load i64, ptr %.29, align 8, !noalias !184
  %.161.us6.i = mul i64 %row.2.0.us3.i, %.160.i
  %.162.us7.i = add nsw i64 %.155.us5.i, %.161.us6.i
  %.169.us8.i = load i64, ptr %.168.i, align 8, !noalias !184
  %.170.us9.i = inttoptr i64 %.169.us8.i to ptr
  %.173.us10.i = load i64, ptr %.172.i, align 8, !noalias !184
  %.174.us11.i = inttoptr i64 %.173.us10.i to ptr
  %.13.i.us12.i = inttoptr i64 %.162.us7.i to ptr
  br i1 %0, label %B96.i.us.i.epil.preheader, label %B96.i.us.i

B96.i.us.i:                                       ; preds = %B364.us1.i, %B96.i.us.i
  %.44.02.i.us.i = phi i64 [ %.115.i.us.i.1, %B96.i.us.i ], [ 0, %B364.us1.i ]
  %niter = phi i64 [ %niter.next.1, %B96.i.us.i ], [ 0, %B364.us1.i ]
  %.115.i.us.i = or disjoint i64 %.44.02.i.us.i, 1
  %.idx.i.us.i = shl i64 %.44.02.i.us.i, 4
  %2 = getelementptr i8, ptr %.13.i.us12.i, i64 %.idx.i.us.i
  %.144.i.us.i = getelementptr i8, ptr %2, i64 8
  %.145.i.us.i = load i64, ptr %.144.i.us.i, align 8, !noalias !190
  %.33.i.i.us.i = sub i64 0, %.145.i.us.i
  %.37.i.i.us.i = getelementptr i64, ptr %.174.us11.i, i64 %.33.i.i.us.i
  %.20.i.i.us.i = getelementptr i64, ptr %.170.us9.i, i64 %.145.i.us.i
  %.141.i.i.us.i = icmp slt i64 %.145.i.us.i, 0
  %storemerge.in.i.i.us.i = select i1 %.141.i.i.us.i, ptr %.37.i.i.us.i, ptr %.20.i.i.us.i
  %storemerge.i.i.us.i = load i64, ptr %storemerge.in.i.i.us.i, align 8, !noalias !193
  %.175.i.us.i = getelementptr i8, ptr %2, i64 16
  %.176.i.us.i = load i64, ptr %.175.i.us.i, align 8, !noalias !190
  %.177.i.us.i = add nsw i64 %.176.i.us.i, %storemerge.i.i.us.i
  %.179.i.us.i = getelementptr i64, ptr %.93.i, i64 %.44.02.i.us.i
  store i64 %.177.i.us.i, ptr %.179.i.us.i, align 16, !noalias !190
  %.115.i.us.i.1 = add nuw nsw i64 %.44.02.i.us.i, 2
  %.idx.i.us.i.1 = shl i64 %.115.i.us.i, 4
  %3 = getelementptr i8, ptr %.13.i.us12.i, i64 %.idx.i.us.i.1
  %.144.i.us.i.1 = getelementptr i8, ptr %3, i64 8
  %.145.i.us.i.1 = load i64, ptr %.144.i.us.i.1, align 8, !noalias !190
  %.33.i.i.us.i.1 = sub i64 0, %.145.i.us.i.1
  %.37.i.i.us.i.1 = getelementptr i64, ptr %.174.us11.i, i64 %.33.i.i.us.i.1
  %.20.i.i.us.i.1 = getelementptr i64, ptr %.170.us9.i, i64 %.145.i.us.i.1
  %.141.i.i.us.i.1 = icmp slt i64 %.145.i.us.i.1, 0
  %storemerge.in.i.i.us.i.1 = select i1 %.141.i.i.us.i.1, ptr %.37.i.i.us.i.1, ptr %.20.i.i.us.i.1
  %storemerge.i.i.us.i.1 = load i64, ptr %storemerge.in.i.i.us.i.1, align 8, !noalias !193
  %.175.i.us.i.1 = getelementptr i8, ptr %3, i64 16
  %.176.i.us.i.1 = load i64, ptr %.175.i.us.i.1, align 8, !noalias !190
  %.177.i.us.i.1 = add nsw i64 %.176.i.us.i.1, %storemerge.i.i.us.i.1
  %.179.i.us.i.1 = getelementptr i64, ptr %.93.i, i64 %.115.i.us.i
  store i64 %.177.i.us.i.1, ptr %.179.i.us.i.1, align 8, !noalias !190
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %bind_row.exit.loopexit.us.i.unr-lcssa, label %B96.i.us.i

B570.us13.i:                                      ; preds = %bind_row.exit.loopexit.us.i
  %.218.us14.i = load i64, ptr %.13.i.us12.i, align 8, !noalias !184
  br label %B610.us15.i

B610.us15.i:                                      ; preds = %bind_row.exit.loopexit.us.i, %B570.us13.i
  %storemerge.us16.i = phi i64 [ %.218.us14.i, %B570.us13.i ], [ %.80.fr.i, %bind_row.exit.loopexit.us.i ]
  %.227.us17.i = load i64, ptr %.226.i, align 8, !noalias !184
  %.230.us18.i = load i64, ptr %.229.i, align 8, !noalias !184
  %.233.us19.i = inttoptr i64 %.227.us17.i to ptr
  %.234.us20.i = call i64 %.233.us19.i(i64 %.94.i, i64 %.230.us18.i, i64 %element.2.0.us2.i, i64 %storemerge.us16.i), !noalias !184
  %.238.us21.i = or i64 %.234.us20.i, %status.2.0.us4.i
  %.245.us22.i = add nsw i64 %row.2.0.us3.i, 1
  %.256.us23.i = icmp slt i64 %.245.us22.i, %.76.i
  br i1 %.256.us23.i, label %B364.us1.i, label %run_rows.exit

bind_row.exit.loopexit.us.i.unr-lcssa: ; preds = %B96.i.us.i
  br i1 %lcmp.mod.not, label %bind_row.exit.loopexit.us.i, label %B96.i.us.i.epil.preheader

B96.i.us.i.epil.preheader:                        ; preds = %bind_row.exit.loopexit.us.i.unr-lcssa, %B364.us1.i
  %.44.02.i.us.i.epil.init = phi i64 [ 0, %B364.us1.i ], [ %.115.i.us.i.1, %bind_row.exit.loopexit.us.i.unr-lcssa ]
  call void @llvm.assume(i1 %lcmp.mod7)
  %.idx.i.us.i.epil = shl i64 %.44.02.i.us.i.epil.init, 4
  %4 = getelementptr i8, ptr %.13.i.us12.i, i64 %.idx.i.us.i.epil
  %.144.i.us.i.epil = getelementptr i8, ptr %4, i64 8
  %.145.i.us.i.epil = load i64, ptr %.144.i.us.i.epil, align 8, !noalias !190
  %.33.i.i.us.i.epil = sub i64 0, %.145.i.us.i.epil
  %.37.i.i.us.i.epil = getelementptr i64, ptr %.174.us11.i, i64 %.33.i.i.us.i.epil
  %.20.i.i.us.i.epil = getelementptr i64, ptr %.170.us9.i, i64 %.145.i.us.i.epil
  %.141.i.i.us.i.epil = icmp slt i64 %.145.i.us.i.epil, 0
  %storemerge.in.i.i.us.i.epil = select i1 %.141.i.i.us.i.epil, ptr %.37.i.i.us.i.epil, ptr %.20.i.i.us.i.epil
  %storemerge.i.i.us.i.epil = load i64, ptr %storemerge.in.i.i.us.i.epil, align 8, !noalias !193
  %.175.i.us.i.epil = getelementptr i8, ptr %4, i64 16
  %.176.i.us.i.epil = load i64, ptr %.175.i.us.i.epil, align 8, !noalias !190
  %.177.i.us.i.epil = add nsw i64 %.176.i.us.i.epil, %storemerge.i.i.us.i.epil
  %.179.i.us.i.epil = getelementptr i64, ptr %.93.i, i64 %.44.02.i.us.i.epil.init
  store i64 %.177.i.us.i.epil, ptr %.179.i.us.i.epil, align 8, !noalias !190
  br label %bind_row.exit.loopexit.us.i

bind_row.exit.loopexit.us.i: ; preds = %bind_row.exit.loopexit.us.i.unr-lcssa, %B96.i.us.i.epil.preheader
  %.204.us28.i = icmp eq i64 %row.2.0.us3.i, %.76.i
  br i1 %.204.us28.i, label %B610.us15.i, label %B570.us13.i

B364.i:                                           ; preds = %B364.i.preheader, %B610.i
  %element.2.0.i = phi i64 [ 0, %B610.i ], [ %.22.i, %B364.i.preheader ]
  %row.2.0.i = phi i64 [ %.245.i, %B610.i ], [ %.18.i, %B364.i.preheader ]
  %status.2.0.i = phi i64 [ %.238.i, %B610.i ], [ 0, %B364.i.preheader ]
  %.155.i = load i64, ptr %.29, align 8, !noalias !184
  %.161.i = mul i64 %row.2.0.i, %.160.i
  %.162.i = add nsw i64 %.155.i, %.161.i
  %.169.i = load i64, ptr %.168.i, align 8, !noalias !184
  %.170.i = inttoptr i64 %.169.i to ptr
  %.173.i = load i64, ptr %.172.i, align 8, !noalias !184
  %.174.i = inttoptr i64 %.173.i to ptr
  %.13.i.i = inttoptr i64 %.162.i to ptr
  br i1 %1, label %B96.i.i.epil.preheader, label %B96.i.i

B96.i.i:                                          ; preds = %B364.i, %B96.i.i
  %.44.02.i.i = phi i64 [ %.115.i.i.1, %B96.i.i ], [ 0, %B364.i ]
  %niter12 = phi i64 [ %niter12.next.1, %B96.i.i ], [ 0, %B364.i ]
  %.115.i.i = or disjoint i64 %.44.02.i.i, 1
  %.idx.i.i = shl i64 %.44.02.i.i, 4
  %5 = getelementptr i8, ptr %.13.i.i, i64 %.idx.i.i
  %.144.i.i = getelementptr i8, ptr %5, i64 8
  %.145.i.i = load i64, ptr %.144.i.i, align 8, !noalias !190
  %.33.i.i.i = sub i64 0, %.145.i.i
  %.37.i.i.i = getelementptr i64, ptr %.174.i, i64 %.33.i.i.i
  %.20.i.i.i = getelementptr i64, ptr %.170.i, i64 %.145.i.i
  %.141.i.i.i = icmp slt i64 %.145.i.i, 0
  %storemerge.in.i.i.i = select i1 %.141.i.i.i, ptr %.37.i.i.i, ptr %.20.i.i.i
  %storemerge.i.i.i = load i64, ptr %storemerge.in.i.i.i, align 8, !noalias !193
  %.175.i.i = getelementptr i8, ptr %5, i64 16
  %.176.i.i = load i64, ptr %.175.i.i, align 8, !noalias !190
  %.177.i.i = add nsw i64 %.176.i.i, %storemerge.i.i.i
  %.179.i.i = getelementptr i64, ptr %.93.i, i64 %.44.02.i.i
  store i64 %.177.i.i, ptr %.179.i.i, align 16, !noalias !190
  %.115.i.i.1 = add nuw nsw i64 %.44.02.i.i, 2
  %.idx.i.i.1 = shl i64 %.115.i.i, 4
  %6 = getelementptr i8, ptr %.13.i.i, i64 %.idx.i.i.1
  %.144.i.i.1 = getelementptr i8, ptr %6, i64 8
  %.145.i.i.1 = load i64, ptr %.144.i.i.1, align 8, !noalias !190
  %.33.i.i.i.1 = sub i64 0, %.145.i.i.1
  %.37.i.i.i.1 = getelementptr i64, ptr %.174.i, i64 %.33.i.i.i.1
  %.20.i.i.i.1 = getelementptr i64, ptr %.170.i, i64 %.145.i.i.1
  %.141.i.i.i.1 = icmp slt i64 %.145.i.i.1, 0
  %storemerge.in.i.i.i.1 = select i1 %.141.i.i.i.1, ptr %.37.i.i.i.1, ptr %.20.i.i.i.1
  %storemerge.i.i.i.1 = load i64, ptr %storemerge.in.i.i.i.1, align 8, !noalias !193
  %.175.i.i.1 = getelementptr i8, ptr %6, i64 16
  %.176.i.i.1 = load i64, ptr %.175.i.i.1, align 8, !noalias !190
  %.177.i.i.1 = add nsw i64 %.176.i.i.1, %storemerge.i.i.i.1
  %.179.i.i.1 = getelementptr i64, ptr %.93.i, i64 %.115.i.i
  store i64 %.177.i.i.1, ptr %.179.i.i.1, align 8, !noalias !190
  %niter12.next.1 = add i64 %niter12, 2
  %niter12.ncmp.1 = icmp eq i64 %niter12.next.1, %unroll_iter11
  br i1 %niter12.ncmp.1, label %bind_row.exit.loopexit.i.unr-lcssa, label %B96.i.i

bind_row.exit.loopexit.i.unr-lcssa: ; preds = %B96.i.i
  br i1 %lcmp.mod9.not, label %bind_row.exit.loopexit.i, label %B96.i.i.epil.preheader

B96.i.i.epil.preheader:                           ; preds = %bind_row.exit.loopexit.i.unr-lcssa, %B364.i
  %.44.02.i.i.epil.init = phi i64 [ 0, %B364.i ], [ %.115.i.i.1, %bind_row.exit.loopexit.i.unr-lcssa ]
  call void @llvm.assume(i1 %lcmp.mod10)
  %.idx.i.i.epil = shl i64 %.44.02.i.i.epil.init, 4
  %7 = getelementptr i8, ptr %.13.i.i, i64 %.idx.i.i.epil
  %.144.i.i.epil = getelementptr i8, ptr %7, i64 8
  %.145.i.i.epil = load i64, ptr %.144.i.i.epil, align 8, !noalias !190
  %.33.i.i.i.epil = sub i64 0, %.145.i.i.epil
  %.37.i.i.i.epil = getelementptr i64, ptr %.174.i, i64 %.33.i.i.i.epil
  %.20.i.i.i.epil = getelementptr i64, ptr %.170.i, i64 %.145.i.i.epil
  %.141.i.i.i.epil = icmp slt i64 %.145.i.i.epil, 0
  %storemerge.in.i.i.i.epil = select i1 %.141.i.i.i.epil, ptr %.37.i.i.i.epil, ptr %.20.i.i.i.epil
  %storemerge.i.i.i.epil = load i64, ptr %storemerge.in.i.i.i.epil, align 8, !noalias !193
  %.175.i.i.epil = getelementptr i8, ptr %7, i64 16
  %.176.i.i.epil = load i64, ptr %.175.i.i.epil, align 8, !noalias !190
  %.177.i.i.epil = add nsw i64 %.176.i.i.epil, %storemerge.i.i.i.epil
  %.179.i.i.epil = getelementptr i64, ptr %.93.i, i64 %.44.02.i.i.epil.init
  store i64 %.177.i.i.epil, ptr %.179.i.i.epil, align 8, !noalias !190
  br label %bind_row.exit.loopexit.i

bind_row.exit.loopexit.i: ; preds = %bind_row.exit.loopexit.i.unr-lcssa, %B96.i.i.epil.preheader
  %.204.i = icmp eq i64 %row.2.0.i, %.76.i
  br i1 %.204.i, label %B610.i, label %B570.i

B570.i:                                           ; preds = %bind_row.exit.loopexit.i
  %.218.i = load i64, ptr %.13.i.i, align 8, !noalias !184
  br label %B610.i

B610.i:                                           ; preds = %B570.i, %bind_row.exit.loopexit.i
  %storemerge.i = phi i64 [ %.218.i, %B570.i ], [ %.80.fr.i, %bind_row.exit.loopexit.i ]
  %.227.i = load i64, ptr %.226.i, align 8, !noalias !184
  %.230.i = load i64, ptr %.229.i, align 8, !noalias !184
  %.233.i = inttoptr i64 %.227.i to ptr
  %.234.i = call i64 %.233.i(i64 %.94.i, i64 %.230.i, i64 %element.2.0.i, i64 %storemerge.i), !noalias !184
  %.238.i = or i64 %.234.i, %status.2.0.i
  %.245.i = add nsw i64 %row.2.0.i, 1
  %or.cond34.not.not.i = icmp slt i64 %row.2.0.i, %.76.i
  br i1 %or.cond34.not.not.i, label %B364.i, label %run_rows.exit

run_rows.exit: ; preds = %B610.us15.i, %B610.i, %B610.us.us.i, %B610.us.i, %B340.i, %B610.us.us.peel.i, %B610.us.peel.i
  %status.3.0.i = phi i64 [ 0, %B340.i ], [ %.238.us.i, %B610.us.i ], [ %.238.i, %B610.i ], [ %.238.us.us.i, %B610.us.us.i ], [ %.234.us.peel.i, %B610.us.peel.i ], [ %.234.us.us.peel.i, %B610.us.us.peel.i ], [ %.238.us21.i, %B610.us15.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.93.i)
  br label %B218

B218:                                             ; preds = %run_rows.exit, %B156
  %storemerge.in.sroa.speculated = phi i64 [ %.51.i, %B156 ], [ %status.3.0.i, %run_rows.exit ]
  %.107.not = icmp eq i64 %storemerge.in.sroa.speculated, 0
  br i1 %.107.not, label %B286, label %B232

B232:                                             ; preds = %B218
  %.114 = atomicrmw or ptr %.113, i64 %storemerge.in.sroa.speculated seq_cst, align 8
  br label %B286

B286:                                             ; preds = %B232, %B218
  %.124 = atomicrmw add ptr %.8, i64 1 seq_cst, align 8
  %.129 = load i64, ptr %.21, align 8
  %.130 = icmp slt i64 %.124, %.129
  br i1 %.130, label %B122, label %common.ret

common.ret:                                       ; preds = %B286, %B0
  store ptr null, ptr %retptr, align 8
  ret void
}

declare i32 @sem_post(i64) local_unnamed_addr

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #0

declare i32 @sched_yield() local_unnamed_addr

declare i32 @usleep(i32) local_unnamed_addr

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #1

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal fastcc void @followed_bound(ptr noalias nonnull writeonly captures(none) %retptr, i64 %arg.table_address, i64 %arg.start, i64 %arg.path, i64 %arg.position, ptr writeonly captures(none) %arg.frame) unnamed_addr #2 {
B0:
  %.91 = alloca i8, align 1
  %.14.i = inttoptr i64 %arg.path to ptr
  %.15.i = getelementptr i8, ptr %.14.i, i64 24
  %.16.i = load i64, ptr %.15.i, align 8, !noalias !196
  %.9913.i = icmp sgt i64 %.16.i, 0
  br i1 %.9913.i, label %B112.preheader.i, label %followed.exit

B112.preheader.i:                                 ; preds = %B0
  %.43.215.i = add nsw i64 %.16.i, -1
  %.10.i = add nsw i64 %arg.path, 32
  br label %B112.i

B112.i:                                           ; preds = %B780.i, %B112.preheader.i
  %.43.218.i = phi i64 [ %.43.2.i, %B780.i ], [ %.43.215.i, %B112.preheader.i ]
  %thing.2.017.i = phi i64 [ %thing.3.0.i, %B780.i ], [ %arg.start, %B112.preheader.i ]
  %position.3.016.i = phi i64 [ %position.4.0.lcssa.i, %B780.i ], [ %.10.i, %B112.preheader.i ]
  %.138.i = inttoptr i64 %position.3.016.i to ptr
  %.143.i = add nsw i64 %thing.2.017.i, 8
  %.144.i = inttoptr i64 %.143.i to ptr
  %.146.i = load i64, ptr %.144.i, align 8, !noalias !196
  %.149.i = load i64, ptr %.138.i, align 8, !noalias !196
  %.150.not.i = icmp eq i64 %.146.i, %.149.i
  br i1 %.150.not.i, label %B238.i, label %common.ret

B238.i:                                           ; preds = %B112.i
  %.164.i = add i64 %position.3.016.i, 24
  %.171.i = getelementptr i8, ptr %.138.i, i64 16
  %.172.i = load i64, ptr %.171.i, align 8, !noalias !196
  %.2529.not.i = icmp slt i64 %.172.i, 1
  br i1 %.2529.not.i, label %B658.i, label %B318.preheader.i

B318.preheader.i:                                 ; preds = %B238.i
  %0 = shl i64 %.172.i, 4
  %1 = add i64 %0, %.164.i
  br label %B318.i

B318.i:                                           ; preds = %B646.i, %B318.preheader.i
  %.26112.in.i = phi i64 [ %.26112.i, %B646.i ], [ %.172.i, %B318.preheader.i ]
  %position.4.011.i = phi i64 [ %.375.i, %B646.i ], [ %.164.i, %B318.preheader.i ]
  %.26112.i = add nsw i64 %.26112.in.i, -1
  %.291.i = inttoptr i64 %position.4.011.i to ptr
  %.297.i = load i64, ptr %.291.i, align 8, !noalias !196
  %.298.i = and i64 %.297.i, 1
  %.299.not.i = icmp eq i64 %.298.i, 0
  br i1 %.299.not.i, label %B558.i, label %B382.i

B382.i:                                           ; preds = %B318.i
  %.304.i = and i64 %.297.i, -2
  %.306.i = add nsw i64 %.304.i, %thing.2.017.i
  %.307.i = inttoptr i64 %.306.i to ptr
  %.309.i = load i64, ptr %.307.i, align 8, !noalias !196
  %.314.i = icmp eq i64 %.309.i, 0
  br i1 %.314.i, label %common.ret, label %B470.i

B470.i:                                           ; preds = %B382.i
  %.317.i = add nsw i64 %.309.i, 8
  %.320.i = inttoptr i64 %.317.i to ptr
  %.322.i = load i64, ptr %.320.i, align 8, !noalias !196
  %.324.i = getelementptr i8, ptr %.291.i, i64 8
  %.325.i = load i64, ptr %.324.i, align 8, !noalias !196
  %.328.i = icmp eq i64 %.322.i, %.325.i
  br i1 %.328.i, label %common.ret, label %B646.i

B558.i:                                           ; preds = %B318.i
  %.351.i = add nsw i64 %.297.i, %thing.2.017.i
  %.352.i = inttoptr i64 %.351.i to ptr
  %.354.i = load i64, ptr %.352.i, align 8, !noalias !196
  %.356.i = getelementptr i8, ptr %.291.i, i64 8
  %.357.i = load i64, ptr %.356.i, align 8, !noalias !196
  %.360.not.i = icmp eq i64 %.354.i, %.357.i
  br i1 %.360.not.i, label %B646.i, label %common.ret

B646.i:                                           ; preds = %B558.i, %B470.i
  %.375.i = add nsw i64 %position.4.011.i, 16
  %.252.i = icmp samesign ugt i64 %.26112.in.i, 1
  br i1 %.252.i, label %B318.i, label %B658.i

B658.i:                                           ; preds = %B646.i, %B238.i
  %position.4.0.lcssa.i = phi i64 [ %.164.i, %B238.i ], [ %1, %B646.i ]
  %.388.i = getelementptr i8, ptr %.138.i, i64 8
  %.389.i = load i64, ptr %.388.i, align 8, !noalias !196
  %.390.not.i = icmp eq i64 %.389.i, 0
  br i1 %.390.not.i, label %B780.i, label %B692.i

B692.i:                                           ; preds = %B658.i
  %.398.i = add nsw i64 %.389.i, %thing.2.017.i
  %.401.i = inttoptr i64 %.398.i to ptr
  %.403.i = load i64, ptr %.401.i, align 8, !noalias !196
  %.406.i = icmp eq i64 %.403.i, 0
  br i1 %.406.i, label %common.ret, label %B780.i

B780.i:                                           ; preds = %B692.i, %B658.i
  %thing.3.0.i = phi i64 [ %thing.2.017.i, %B658.i ], [ %.403.i, %B692.i ]
  %.99.i = icmp sgt i64 %.43.218.i, 0
  %.108.i = sext i1 %.99.i to i64
  %.43.2.i = add nsw i64 %.43.218.i, %.108.i
  br i1 %.99.i, label %B112.i, label %followed.exit

followed.exit: ; preds = %B780.i, %B0
  %thing.2.0.lcssa.sink.i = phi i64 [ %arg.start, %B0 ], [ %thing.3.0.i, %B780.i ]
  %.46 = inttoptr i64 %arg.position to ptr
  %.51 = icmp eq i64 %thing.2.0.lcssa.sink.i, 0
  br i1 %.51, label %common.ret, label %B78

B78:                                              ; preds = %followed.exit
  %.54 = add nsw i64 %thing.2.0.lcssa.sink.i, 8
  %.55 = inttoptr i64 %.54 to ptr
  %.57 = load i64, ptr %.55, align 8
  %.59 = getelementptr i8, ptr %.46, i64 16
  %.60 = load i64, ptr %.59, align 8
  %.61.not = icmp eq i64 %.57, %.60
  br i1 %.61.not, label %B170, label %common.ret

common.ret:                                       ; preds = %B112.i, %B692.i, %B470.i, %B382.i, %B558.i, %B78, %followed.exit, %B170
  %storemerge = phi i8 [ %.132, %B170 ], [ 0, %followed.exit ], [ 0, %B78 ], [ 0, %B470.i ], [ 0, %B558.i ], [ 0, %B382.i ], [ 0, %B692.i ], [ 0, %B112.i ]
  store i8 %storemerge, ptr %retptr, align 1
  ret void

B170:                                             ; preds = %B78
  %.80 = getelementptr i8, ptr %.14.i, i64 16
  %.81 = load i64, ptr %.80, align 8
  %.84 = getelementptr i64, ptr %arg.frame, i64 %.81
  store i64 %thing.2.0.lcssa.sink.i, ptr %.84, align 8
  store i8 0, ptr %.91, align 1
  call fastcc void @array_bound(ptr nonnull %.91, i64 %arg.table_address, i64 %thing.2.0.lcssa.sink.i, ptr nonnull %.46, ptr %arg.frame)
  %.105 = load i8, ptr %.91, align 1
  %.108 = icmp ne i8 %.105, 0
  %.132 = zext i1 %.108 to i8
  br label %common.ret
}

; Function Attrs: nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal fastcc void @array_bound(ptr noalias nonnull writeonly captures(none) %retptr, i64 %arg.table_address, i64 %arg.array, ptr captures(none) %arg.record, ptr writeonly captures(none) %arg.frame) unnamed_addr #3 {
B0:
  %.11.i = add nsw i64 %arg.array, 64
  %.12.i = inttoptr i64 %.11.i to ptr
  %.14.i = load i32, ptr %.12.i, align 4, !noalias !199
  %.19.i = getelementptr i8, ptr %arg.record, i64 56
  %.20.i = load i64, ptr %.19.i, align 8, !noalias !199
  %.22.i = sext i32 %.14.i to i64
  %.23.i = and i64 %.20.i, %.22.i
  %.24.not.i = icmp eq i64 %.23.i, %.20.i
  br i1 %.24.not.i, label %B106.i, label %common.ret

B106.i:                                           ; preds = %B0
  %.27.i = getelementptr i8, ptr %arg.record, i64 64
  %.28.i = load i64, ptr %.27.i, align 8, !noalias !199
  %.31.i = and i64 %.28.i, %.22.i
  %.34.not.i = icmp eq i64 %.31.i, 0
  br i1 %.34.not.i, label %B150.i, label %common.ret

B150.i:                                           ; preds = %B106.i
  %.46.i = add nsw i64 %arg.array, 56
  %.47.i = inttoptr i64 %.46.i to ptr
  %.49.i = load i64, ptr %.47.i, align 8, !noalias !199
  %.54.i = getelementptr i8, ptr %arg.record, i64 32
  %.55.i = load i64, ptr %.54.i, align 8, !noalias !199
  %.57.not.i = icmp eq i64 %.49.i, %.55.i
  br i1 %.57.not.i, label %B426.i, label %B242.i

B242.i:                                           ; preds = %B150.i
  %.60.i = add nsw i64 %.49.i, 28
  %.61.i = inttoptr i64 %.60.i to ptr
  %.63.i = load i32, ptr %.61.i, align 4, !noalias !199
  %.65.i = getelementptr i8, ptr %arg.record, i64 40
  %.66.i = load i64, ptr %.65.i, align 8, !noalias !199
  %.67.i = sext i32 %.63.i to i64
  %.68.not.i = icmp eq i64 %.66.i, %.67.i
  br i1 %.68.not.i, label %B334.i, label %common.ret

B334.i:                                           ; preds = %B242.i
  %.80.i = add nsw i64 %.49.i, 26
  %.83.i = inttoptr i64 %.80.i to ptr
  %.85.i = load i8, ptr %.83.i, align 1, !noalias !199
  %.87.i = getelementptr i8, ptr %arg.record, i64 48
  %.88.i = load i64, ptr %.87.i, align 8, !noalias !199
  %.89.i = zext i8 %.85.i to i64
  %.90.not.i = icmp eq i64 %.88.i, %.89.i
  br i1 %.90.not.i, label %B426.i, label %common.ret

B426.i:                                           ; preds = %B334.i, %B150.i
  %.102.i = getelementptr i8, ptr %arg.record, i64 72
  %.103.i = load i64, ptr %.102.i, align 8, !noalias !199
  %.108.i = add nsw i64 %arg.array, 24
  %.109.i = inttoptr i64 %.108.i to ptr
  %.111.i = load i32, ptr %.109.i, align 4, !noalias !199
  %.113.i = sext i32 %.111.i to i64
  %.114.not.i = icmp eq i64 %.103.i, %.113.i
  br i1 %.114.not.i, label %B522.i, label %common.ret

B522.i:                                           ; preds = %B426.i
  %.126.i = add nsw i64 %arg.array, 32
  %.127.i = inttoptr i64 %.126.i to ptr
  %.129.i = load i64, ptr %.127.i, align 8, !noalias !199
  %.130.i = inttoptr i64 %.129.i to ptr
  %.135.i = add nsw i64 %arg.array, 40
  %.138.i = inttoptr i64 %.135.i to ptr
  %.140.i = load i64, ptr %.138.i, align 8, !noalias !199
  %.141.i = inttoptr i64 %.140.i to ptr
  %spec.select.i = tail call i64 @llvm.smax.i64(i64 %.103.i, i64 0)
  br label %B720.i

B720.i:                                           ; preds = %B788.i, %B522.i
  %.171.0.i = phi i64 [ 0, %B522.i ], [ %.242.i, %B788.i ]
  %.242.i = add nuw i64 %.171.0.i, 1
  %exitcond.not.i = icmp eq i64 %.171.0.i, %spec.select.i
  br i1 %exitcond.not.i, label %B40, label %B722.i

B722.i:                                           ; preds = %B720.i
  %.272.i = getelementptr i64, ptr %.130.i, i64 %.171.0.i
  %.273.i = load i64, ptr %.272.i, align 8, !noalias !199
  %.idx.i = shl i64 %.171.0.i, 4
  %0 = getelementptr i8, ptr %arg.record, i64 %.idx.i
  %.278.i = getelementptr i8, ptr %0, i64 120
  %.279.i = load i64, ptr %.278.i, align 8, !noalias !199
  %.280.not.i = icmp eq i64 %.273.i, %.279.i
  br i1 %.280.not.i, label %B788.i, label %common.ret

B788.i:                                           ; preds = %B722.i
  %.300.i = getelementptr i8, ptr %0, i64 128
  %.301.i = load i64, ptr %.300.i, align 8, !noalias !199
  %.307.i = getelementptr i64, ptr %.141.i, i64 %.171.0.i
  %.308.i = load i64, ptr %.307.i, align 8, !noalias !199
  %.312.not.i = icmp eq i64 %.301.i, %.308.i
  %.315.not.i = icmp eq i64 %.301.i, -4611686018427387904
  %or.cond.i = or i1 %.315.not.i, %.312.not.i
  br i1 %or.cond.i, label %B720.i, label %common.ret

common.ret:                                       ; preds = %B722.i, %B788.i, %B480.i, %B340.i, %B276, %B40, %B106.i, %B0, %B242.i, %B334.i, %B426.i
  %.162.not.sink = phi i8 [ 1, %B276 ], [ 1, %B40 ], [ 0, %B106.i ], [ 1, %B480.i ], [ 0, %B340.i ], [ 0, %B426.i ], [ 0, %B334.i ], [ 0, %B242.i ], [ 0, %B0 ], [ 0, %B788.i ], [ 0, %B722.i ]
  store i8 %.162.not.sink, ptr %retptr, align 1
  ret void

B40:                                              ; preds = %B720.i
  %.67 = add nsw i64 %arg.array, 16
  %.70 = inttoptr i64 %.67 to ptr
  %.72 = load i64, ptr %.70, align 8
  %.77 = getelementptr i8, ptr %arg.record, i64 24
  %.78 = load i64, ptr %.77, align 8
  %.81 = getelementptr i64, ptr %arg.frame, i64 %.78
  store i64 %.72, ptr %.81, align 8
  %.86 = getelementptr i8, ptr %arg.record, i64 80
  %.87 = load i64, ptr %.86, align 8
  %.88 = icmp eq i64 %.87, 0
  br i1 %.88, label %common.ret, label %B178

B178:                                             ; preds = %B40
  %.100 = getelementptr i8, ptr %arg.record, i64 88
  %.101 = load i64, ptr %.100, align 8
  %.103 = add nsw i64 %.101, %.72
  %.105 = getelementptr i8, ptr %arg.record, i64 96
  %.106 = load i64, ptr %.105, align 8
  %.108 = add nsw i64 %.106, %.72
  %.118 = getelementptr i8, ptr %arg.record, i64 104
  %.119 = load i64, ptr %.118, align 8
  %.121.not = icmp sgt i64 %.119, %.103
  br i1 %.121.not, label %B314, label %B276

B276:                                             ; preds = %B178
  %.124 = getelementptr i8, ptr %arg.record, i64 112
  %.125 = load i64, ptr %.124, align 8
  %.127.not = icmp sgt i64 %.108, %.125
  br i1 %.127.not, label %B314, label %common.ret

B314:                                             ; preds = %B276, %B178
  %.17.i = inttoptr i64 %arg.table_address to ptr
  %.24.i = icmp eq i64 %.87, 1
  %count.0.in.v.i = select i1 %.24.i, i64 176, i64 160
  %count.0.in.i = getelementptr i8, ptr %.17.i, i64 %count.0.in.v.i
  %storemerge1.in.v.i = select i1 %.24.i, i64 168, i64 152
  %storemerge1.in.i = getelementptr i8, ptr %.17.i, i64 %storemerge1.in.v.i
  %count.0.i = load i64, ptr %count.0.in.i, align 8, !noalias !202
  %storemerge1.i = load i64, ptr %storemerge1.in.i, align 8, !noalias !202
  %.84.i = shl nsw i64 %storemerge1.i, 3
  %.90.i = add nsw i64 %.84.i, %arg.table_address
  %.93.i = inttoptr i64 %.90.i to ptr
  %.109.i4 = icmp sgt i64 %count.0.i, 0
  br i1 %.109.i4, label %B248.i, label %B328.i

B248.i:                                           ; preds = %B314, %B248.i
  %end.2.0.i = phi i64 [ %end.3.0.i, %B248.i ], [ %count.0.i, %B314 ]
  %first.2.0.i = phi i64 [ %first.3.0.i, %B248.i ], [ 0, %B314 ]
  %.118.i = add nuw nsw i64 %first.2.0.i, %end.2.0.i
  %.119.i = lshr i64 %.118.i, 1
  %.125.i = or i64 %.118.i, 1
  %.127.i6 = getelementptr i64, ptr %.93.i, i64 %.125.i
  %.128.i = load i64, ptr %.127.i6, align 8, !noalias !202
  %.130.not.i = icmp sgt i64 %.128.i, %.103
  %.141.i7 = add nuw nsw i64 %.119.i, 1
  %end.3.0.i = select i1 %.130.not.i, i64 %.119.i, i64 %end.2.0.i
  %first.3.0.i = select i1 %.130.not.i, i64 %first.2.0.i, i64 %.141.i7
  %.172.i = icmp slt i64 %first.3.0.i, %end.3.0.i
  br i1 %.172.i, label %B248.i, label %B328.i

B328.i:                                           ; preds = %B248.i, %B314
  %first.4.0.i = phi i64 [ 0, %B314 ], [ %first.3.0.i, %B248.i ]
  %.191.i = icmp slt i64 %first.4.0.i, %count.0.i
  br i1 %.191.i, label %B340.i, label %B374.i

B340.i:                                           ; preds = %B328.i
  %.196.idx.i = shl i64 %first.4.0.i, 4
  %.196.i = getelementptr i8, ptr %.93.i, i64 %.196.idx.i
  %.197.i = load i64, ptr %.196.i, align 8, !noalias !202
  %.199.i = icmp slt i64 %.197.i, %.108
  br i1 %.199.i, label %common.ret, label %B374.i

B374.i:                                           ; preds = %B340.i, %B328.i
  %.217.i = icmp sgt i64 %first.4.0.i, 0
  br i1 %.217.i, label %B386.i, label %B416.i

B386.i:                                           ; preds = %B374.i
  %.idx.i5 = shl i64 %first.4.0.i, 4
  %1 = getelementptr i8, ptr %.93.i, i64 %.idx.i5
  %.223.i = getelementptr i8, ptr %1, i64 -8
  %.224.i = load i64, ptr %.223.i, align 8, !noalias !202
  br label %B416.i

B416.i:                                           ; preds = %B386.i, %B374.i
  %storemerge2.i = phi i64 [ %.224.i, %B386.i ], [ 0, %B374.i ]
  store i64 %storemerge2.i, ptr %.118, align 8, !noalias !202
  br i1 %.191.i, label %B446.i, label %B480.i

B446.i:                                           ; preds = %B416.i
  %.249.idx.i = shl i64 %first.4.0.i, 4
  %.249.i = getelementptr i8, ptr %.93.i, i64 %.249.idx.i
  %.250.i = load i64, ptr %.249.i, align 8, !noalias !202
  br label %B480.i

B480.i:                                           ; preds = %B446.i, %B416.i
  %storemerge3.i = phi i64 [ %.250.i, %B446.i ], [ 4611686018427387904, %B416.i ]
  %.266.i = getelementptr i8, ptr %arg.record, i64 112
  store i64 %storemerge3.i, ptr %.266.i, align 8, !noalias !202
  br label %common.ret
}

declare i64 @PyLong_AsLongLongAndOverflow(i64, i64) local_unnamed_addr

declare ptr @guardlift_scalar_read(i64, i64) local_unnamed_addr

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #4

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #5

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #6

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #6

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #7

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #3 = { nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #7 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"launch: %retptr"}
!2 = distinct !{!2, !"launch"}
!3 = !{!4, !1}
!4 = distinct !{!4, !5, !"held: %retptr"}
!5 = distinct !{!5, !"held"}
!6 = !{!7, !1}
!7 = distinct !{!7, !8, !"error_state: %retptr"}
!8 = distinct !{!8, !"error_state"}
!9 = !{!10, !1}
!10 = distinct !{!10, !11, !"held: %retptr"}
!11 = distinct !{!11, !"held"}
!12 = !{!13, !1}
!13 = distinct !{!13, !14, !"take_frame: %retptr"}
!14 = distinct !{!14, !"take_frame"}
!15 = !{!16, !1}
!16 = distinct !{!16, !17, !"run: %retptr"}
!17 = distinct !{!17, !"run"}
!18 = !{!19, !16, !1}
!19 = distinct !{!19, !20, !"bound: %retptr"}
!20 = distinct !{!20, !"bound"}
!21 = !{!22, !16, !1}
!22 = distinct !{!22, !23, !"owners_bound: %retptr"}
!23 = distinct !{!23, !"owners_bound"}
!24 = !{!25, !22, !16, !1}
!25 = distinct !{!25, !26, !"owner_of: %retptr"}
!26 = distinct !{!26, !"owner_of"}
!27 = !{!28, !22, !16, !1}
!28 = distinct !{!28, !29, !"owner_of: %retptr"}
!29 = distinct !{!29, !"owner_of"}
!30 = !{!31, !22, !16, !1}
!31 = distinct !{!31, !32, !"followed: %retptr"}
!32 = distinct !{!32, !"followed"}
!33 = !{!34, !16, !1}
!34 = distinct !{!34, !35, !"watched_slots_fit: %retptr"}
!35 = distinct !{!35, !"watched_slots_fit"}
!36 = !{!37, !34, !16, !1}
!37 = distinct !{!37, !38, !"all_looked: %retptr"}
!38 = distinct !{!38, !"all_looked"}
!39 = !{!40, !37, !34, !16, !1}
!40 = distinct !{!40, !41, !"looked: %retptr"}
!41 = distinct !{!41, !"looked"}
!42 = !{!43, !40, !37, !34, !16, !1}
!43 = distinct !{!43, !44, !"found: %retptr"}
!44 = distinct !{!44, !"found"}
!45 = !{!46, !43, !40, !37, !34, !16, !1}
!46 = distinct !{!46, !47, !"followed: %retptr"}
!47 = distinct !{!47, !"followed"}
!48 = !{!49, !40, !37, !34, !16, !1}
!49 = distinct !{!49, !50, !"put_aside: %retptr"}
!50 = distinct !{!50, !"put_aside"}
!51 = !{!52, !16, !1}
!52 = distinct !{!52, !53, !"overlapping: %retptr"}
!53 = distinct !{!53, !"overlapping"}
!54 = !{!55, !52, !16, !1}
!55 = distinct !{!55, !56, !"base: %retptr"}
!56 = distinct !{!56, !"base"}
!57 = !{!58, !52, !16, !1}
!58 = distinct !{!58, !59, !"base: %retptr"}
!59 = distinct !{!59, !"base"}
!60 = !{!61, !63, !16, !1}
!61 = distinct !{!61, !62, !"made_fresh: %retptr"}
!62 = distinct !{!62, !"made_fresh"}
!63 = distinct !{!63, !64, !"executed: %retptr"}
!64 = distinct !{!64, !"executed"}
!65 = !{!66, !61, !63, !16, !1}
!66 = distinct !{!66, !67, !"fresh_array: %retptr"}
!67 = distinct !{!67, !"fresh_array"}
!68 = !{!69, !61, !63, !16, !1}
!69 = distinct !{!69, !70, !"drop: %retptr"}
!70 = distinct !{!70, !"drop"}
!71 = !{!63, !16, !1}
!72 = !{!73, !63, !16, !1}
!73 = distinct !{!73, !74, !"run_steps: %retptr"}
!74 = distinct !{!74, !"run_steps"}
!75 = !{!76, !73, !63, !16, !1}
!76 = distinct !{!76, !77, !"lay_out: %retptr"}
!77 = distinct !{!77, !"lay_out"}
!78 = !{!79, !76, !73, !63, !16, !1}
!79 = distinct !{!79, !80, !"base: %retptr"}
!80 = distinct !{!80, !"base"}
!81 = !{!82, !73, !63, !16, !1}
!82 = distinct !{!82, !83, !"share_kernel: %retptr"}
!83 = distinct !{!83, !"share_kernel"}
!84 = !{!85, !82, !73, !63, !16, !1}
!85 = distinct !{!85, !86, !"cut: %retptr"}
!86 = distinct !{!86, !"cut"}
!87 = !{!"branch_weights", i32 1, i32 99}
!88 = !{!"branch_weights", i32 99, i32 1}
!89 = !{!"branch_weights", i32 0, i32 -2147483648}
!90 = !{!91, !73, !63, !16, !1}
!91 = distinct !{!91, !92, !"share_table: %retptr"}
!92 = distinct !{!92, !"share_table"}
!93 = !{!94, !91, !73, !63, !16, !1}
!94 = distinct !{!94, !95, !"cut.1: %retptr"}
!95 = distinct !{!95, !"cut.1"}
!96 = !{!97, !73, !63, !16, !1}
!97 = distinct !{!97, !98, !"run_table: %retptr"}
!98 = distinct !{!98, !"run_table"}
!99 = !{!100, !97, !73, !63, !16, !1}
!100 = distinct !{!100, !101, !"bind_row: %retptr"}
!101 = distinct !{!101, !"bind_row"}
!102 = !{!103, !100, !97, !73, !63, !16, !1}
!103 = distinct !{!103, !104, !"base: %retptr"}
!104 = distinct !{!104, !"base"}
!105 = !{!106, !73, !63, !16, !1}
!106 = distinct !{!106, !107, !"begin_loop: %retptr"}
!107 = distinct !{!107, !"begin_loop"}
!108 = !{!109, !106, !73, !63, !16, !1}
!109 = distinct !{!109, !110, !"base: %retptr"}
!110 = distinct !{!110, !"base"}
!111 = !{!112, !73, !63, !16, !1}
!112 = distinct !{!112, !113, !"goes_on: %retptr"}
!113 = distinct !{!113, !"goes_on"}
!114 = !{!115, !73, !63, !16, !1}
!115 = distinct !{!115, !116, !"jumps: %retptr"}
!116 = distinct !{!116, !"jumps"}
!117 = !{!118, !115, !73, !63, !16, !1}
!118 = distinct !{!118, !119, !"base: %retptr"}
!119 = distinct !{!119, !"base"}
!120 = !{!121, !73, !63, !16, !1}
!121 = distinct !{!121, !122, !"lay_out: %retptr"}
!122 = distinct !{!122, !"lay_out"}
!123 = !{!124, !121, !73, !63, !16, !1}
!124 = distinct !{!124, !125, !"base: %retptr"}
!125 = distinct !{!125, !"base"}
!126 = !{!127, !73, !63, !16, !1}
!127 = distinct !{!127, !128, !"lay_out_sizes: %retptr"}
!128 = distinct !{!128, !"lay_out_sizes"}
!129 = distinct !{!129, !130, !131}
!130 = !{!"llvm.loop.isvectorized", i32 1}
!131 = !{!"llvm.loop.unroll.runtime.disable"}
!132 = distinct !{!132, !130}
!133 = !{!134, !73, !63, !16, !1}
!134 = distinct !{!134, !135, !"multiply: %retptr"}
!135 = distinct !{!135, !"multiply"}
!136 = !{!137, !134, !73, !63, !16, !1}
!137 = distinct !{!137, !138, !"base: %retptr"}
!138 = distinct !{!138, !"base"}
!139 = !{!140, !134, !73, !63, !16, !1}
!140 = distinct !{!140, !141, !"base: %retptr"}
!141 = distinct !{!141, !"base"}
!142 = !{!143, !134, !73, !63, !16, !1}
!143 = distinct !{!143, !144, !"base: %retptr"}
!144 = distinct !{!144, !"base"}
!145 = !{!146, !134, !73, !63, !16, !1}
!146 = distinct !{!146, !147, !"multiply_one: %retptr"}
!147 = distinct !{!147, !"multiply_one"}
!148 = !{!149, !63, !16, !1}
!149 = distinct !{!149, !150, !"drop: %retptr"}
!150 = distinct !{!150, !"drop"}
!151 = !{!152, !63, !16, !1}
!152 = distinct !{!152, !153, !"held: %retptr"}
!153 = distinct !{!153, !"held"}
!154 = !{!155, !63, !16, !1}
!155 = distinct !{!155, !156, !"finished: %retptr"}
!156 = distinct !{!156, !"finished"}
!157 = !{!158, !155, !63, !16, !1}
!158 = distinct !{!158, !159, !"view: %retptr"}
!159 = distinct !{!159, !"view"}
!160 = !{!161, !158, !155, !63, !16, !1}
!161 = distinct !{!161, !162, !"held: %retptr"}
!162 = distinct !{!162, !"held"}
!163 = !{!164, !155, !63, !16, !1}
!164 = distinct !{!164, !165, !"held: %retptr"}
!165 = distinct !{!165, !"held"}
!166 = !{!167, !155, !63, !16, !1}
!167 = distinct !{!167, !168, !"drop: %retptr"}
!168 = distinct !{!168, !"drop"}
!169 = !{!170, !63, !16, !1}
!170 = distinct !{!170, !171, !"result_object: %retptr"}
!171 = distinct !{!171, !"result_object"}
!172 = !{!173, !170, !63, !16, !1}
!173 = distinct !{!173, !174, !"held: %retptr"}
!174 = distinct !{!174, !"held"}
!175 = !{!176, !170, !63, !16, !1}
!176 = distinct !{!176, !177, !"drop: %retptr"}
!177 = distinct !{!177, !"drop"}
!178 = !{!179, !16, !1}
!179 = distinct !{!179, !180, !"call_ended: %retptr"}
!180 = distinct !{!180, !"call_ended"}
!181 = !{!182}
!182 = distinct !{!182, !183, !"run_chunk: %retptr"}
!183 = distinct !{!183, !"run_chunk"}
!184 = !{!185}
!185 = distinct !{!185, !186, !"run_rows: %retptr"}
!186 = distinct !{!186, !"run_rows"}
!187 = distinct !{!187, !188}
!188 = !{!"llvm.loop.peeled.count", i32 1}
!189 = distinct !{!189, !188}
!190 = !{!191, !185}
!191 = distinct !{!191, !192, !"bind_row: %retptr"}
!192 = distinct !{!192, !"bind_row"}
!193 = !{!194, !191, !185}
!194 = distinct !{!194, !195, !"base: %retptr"}
!195 = distinct !{!195, !"base"}
!196 = !{!197}
!197 = distinct !{!197, !198, !"followed: %retptr"}
!198 = distinct !{!198, !"followed"}
!199 = !{!200}
!200 = distinct !{!200, !201, !"array_matches: %retptr"}
!201 = distinct !{!201, !"array_matches"}
!202 = !{!203}
!203 = distinct !{!203, !204, !"meets_lifted: %retptr"}
!204 = distinct !{!204, !"meets_lifted"}
