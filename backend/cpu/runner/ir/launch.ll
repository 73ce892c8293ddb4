; digest 2caf2895c8bd46b61537fd5b82bd0d40
; The program guardlift_launch of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py 593aaea976605c17dc2850b2025a2ad9
; source backend/cpu/compiler/numba_functions.py cb9b1c36af3007b22ef3a2021110394a
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/compiler/python_calls.py c8522409e7c76fe342a4eb4d77d2d672
; source backend/cpu/plan/table_layout.py b1d5a4207644d2272747b2908b5c9ccf
; source backend/cpu/runner/checks.py ec2503d1e3e3f9f4e54d967e0f62ca33
; source backend/cpu/runner/runner.py 8f286614a6a6deca13d9dbba8e722904
; source backend/cpu/runner/steps.py fca2158c5913e4112f0e3006f2c069b1
; source backend/cpu/runner/team.py 4aad1d4f74e8cb6029073e7c329f38d9
; source backend/cpu/runner/watched_slots.py 685ecba62f096f9917eaf69f5be6723e
; source backend/llvm/native_functions.py 8470d6db57a161a1db5405622a6894a3
; ModuleID = 'guardlift_launch'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


declare i64 @PyErr_NoMemory() local_unnamed_addr

define i64 @guardlift_launch(i64 %.1, ptr readonly captures(none) %.2, i64 %.3) local_unnamed_addr {
entry:
  %.9.i54.i.i.i.i = alloca [128 x i8], align 64
  %.86.i.i.i.i.i = alloca i64, align 8
  %.8.i.i.i.i.i = alloca [128 x i8], align 64
  %.70.i.i.i.i.i = alloca i64, align 8
  %.148.i.i.i.i.i.i = alloca i8, align 1
  %.186.i.i.i = alloca i8, align 1
  %.217.i.i.i = alloca i8, align 1
  %.419.i.i.i = alloca i8, align 1
  %.58.i = alloca [64 x i8], align 64
  %.145.i = alloca [5120 x i8], align 64
  call void @llvm.lifetime.start.p0(ptr nonnull %.58.i)
  call void @llvm.lifetime.start.p0(ptr nonnull %.145.i)
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
  br i1 %.66.not.i, label %B352.i, label %B240.i

B240.i:                                           ; preds = %B178.i
  store i64 0, ptr %.58.i, align 64, !noalias !6
  %.15.i.i = getelementptr i8, ptr %.17.i, i64 16
  %.16.i.i = load i64, ptr %.15.i.i, align 8, !noalias !6
  %.18.i.i = call i32 @PyContextVar_Get(i64 %.16.i.i, i64 0, i64 %.59.i), !noalias !6
  %.20.not.i.i = icmp eq i32 %.18.i.i, 0
  br i1 %.20.not.i.i, label %B108.i.i, label %launch.exit

B108.i.i:                                         ; preds = %B240.i
  %.33.i.i = load i64, ptr %.58.i, align 64, !noalias !6
  %.38.i.i = icmp eq i64 %.33.i.i, 0
  br i1 %.38.i.i, label %B300.i, label %B166.i.i

B166.i.i:                                         ; preds = %B108.i.i
  %.48.i.i = load i64, ptr %.64.i, align 8, !noalias !6
  %.51.i.i = inttoptr i64 %.48.i.i to ptr
  %.57.i.i = load i64, ptr %.51.i.i, align 8, !noalias !6
  %.59.i.i = icmp eq i64 %.33.i.i, %.57.i.i
  br i1 %.59.i.i, label %B288.thread10.i, label %B252.i.i

B288.thread10.i:                                  ; preds = %B166.i.i
  %.113.i12.i = call ptr @Py_DecRef(i64 %.33.i.i), !noalias !6
  br label %B352.i

B252.i.i:                                         ; preds = %B166.i.i
  %.11.i.i.i = getelementptr i8, ptr %.51.i.i, i64 8
  %.12.i.i.i = load i64, ptr %.11.i.i.i, align 8, !noalias !9
  %.13.i.i.i = icmp eq i64 %.12.i.i.i, 0
  br i1 %.13.i.i.i, label %B288.thread6.i, label %B38.i.i.i

B38.i.i.i:                                        ; preds = %B252.i.i
  %.16.i.i.i = inttoptr i64 %.33.i.i to ptr
  %.17.i.i.i = getelementptr i8, ptr %.16.i.i.i, i64 8
  %.18.i.i.i = load i64, ptr %.17.i.i.i, align 8, !noalias !9
  %.20.i.i.i = getelementptr i8, ptr %.51.i.i, i64 16
  %.21.i.i.i = load i64, ptr %.20.i.i.i, align 8, !noalias !9
  %.22.not.i.i.i = icmp eq i64 %.18.i.i.i, %.21.i.i.i
  br i1 %.22.not.i.i.i, label %B288.i, label %B288.thread6.i

B288.thread6.i:                                   ; preds = %B38.i.i.i, %B252.i.i
  %.113.i8.i = call ptr @Py_DecRef(i64 %.33.i.i), !noalias !6
  br label %B300.i

B288.i:                                           ; preds = %B38.i.i.i
  %.35.i.i.i = getelementptr i8, ptr %.16.i.i.i, i64 16
  %.36.i.i.i = load i64, ptr %.35.i.i.i, align 8, !noalias !9
  %.37.i.i.i = inttoptr i64 %.36.i.i.i to ptr
  %.39.i.i.i = load i64, ptr %.37.i.i.i, align 8, !noalias !9
  %.45.i.i.i = and i64 %.39.i.i.i, %.12.i.i.i
  %.46.i.i.not.i = icmp eq i64 %.45.i.i.i, 0
  %.113.i.i = call ptr @Py_DecRef(i64 %.33.i.i), !noalias !6
  br i1 %.46.i.i.not.i, label %B352.i, label %B300.i

B300.i:                                           ; preds = %B288.i, %B288.thread6.i, %B108.i.i
  %.108.i = getelementptr i8, ptr %.17.i, i64 24
  %.109.i = load i64, ptr %.108.i, align 8, !noalias !0
  %.5.i8.i = call ptr @Py_IncRef(i64 %.109.i), !noalias !12
  br label %launch.exit

B352.i:                                           ; preds = %B288.i, %B288.thread10.i, %B178.i
  %.137.i = getelementptr i8, ptr %.17.i, i64 56
  %.138.i = load i64, ptr %.137.i, align 8, !noalias !0
  %.139.i = icmp slt i64 %.138.i, 5121
  br i1 %.139.i, label %B456.thread.i, label %B428.i

B456.thread.i:                                    ; preds = %B352.i
  %.146.i = ptrtoint ptr %.145.i to i64
  br label %B498.i

B428.i:                                           ; preds = %B352.i
  %.8.i.i = getelementptr i8, ptr %.17.i, i64 264
  %.9.i.i = load i64, ptr %.8.i.i, align 8, !noalias !15
  %.13.i.i = inttoptr i64 %.9.i.i to ptr
  %.15.i9.i = load i64, ptr %.13.i.i, align 8, !noalias !15
  %.19.not.i.i = icmp eq i64 %.15.i9.i, 0
  br i1 %.19.not.i.i, label %B606.i.i, label %B84.preheader.i.i

B84.preheader.i.i:                                ; preds = %B428.i
  %.253.i.i = add nsw i64 %.15.i9.i, -16
  %.264.i.i = inttoptr i64 %.253.i.i to ptr
  %.285.i.i = load i64, ptr %.264.i.i, align 8, !noalias !15
  %.32.not6.i.i = icmp slt i64 %.285.i.i, %.138.i
  br i1 %.32.not6.i.i, label %B250.i.i, label %take_frame.exit.thread16.i

B84.i.i:                                          ; preds = %B250.i.i
  %.25.i.i = add nsw i64 %.58.i.i, -16
  %.26.i.i = inttoptr i64 %.25.i.i to ptr
  %.28.i.i = load i64, ptr %.26.i.i, align 8, !noalias !15
  %.32.not.i.i = icmp slt i64 %.28.i.i, %.138.i
  br i1 %.32.not.i.i, label %B250.i.i, label %take_frame.exit.thread16.i

take_frame.exit.thread16.i: ; preds = %B84.i.i, %B84.preheader.i.i
  %.41.pre-phi.i.i = phi ptr [ %.13.i.i, %B84.preheader.i.i ], [ %.56.i.i, %B84.i.i ]
  %frame_address.5.0.lcssa.i.i = phi i64 [ %.15.i9.i, %B84.preheader.i.i ], [ %.58.i.i, %B84.i.i ]
  %.37.i.i = inttoptr i64 %frame_address.5.0.lcssa.i.i to ptr
  %.39.i.i = load i64, ptr %.37.i.i, align 8, !noalias !15
  store i64 %.39.i.i, ptr %.41.pre-phi.i.i, align 8, !noalias !15
  br label %B498.i

B250.i.i:                                         ; preds = %B84.preheader.i.i, %B84.i.i
  %frame_address.5.07.i.i = phi i64 [ %.58.i.i, %B84.i.i ], [ %.15.i9.i, %B84.preheader.i.i ]
  %.56.i.i = inttoptr i64 %frame_address.5.07.i.i to ptr
  %.58.i.i = load i64, ptr %.56.i.i, align 8, !noalias !15
  %.61.not.i.i = icmp eq i64 %.58.i.i, 0
  br i1 %.61.not.i.i, label %B330.i.i, label %B84.i.i

B330.i.i:                                         ; preds = %B250.i.i
  store i64 0, ptr %.13.i.i, align 8, !noalias !15
  br label %B464.i.i

B464.i.i:                                         ; preds = %B464.i.i, %B330.i.i
  %frame_address.6.0.i.i = phi i64 [ %.15.i9.i, %B330.i.i ], [ %.97.i.i, %B464.i.i ]
  %.90.i.i = add nsw i64 %frame_address.6.0.i.i, -8
  %.91.i.i = inttoptr i64 %.90.i.i to ptr
  %.93.i.i = load i64, ptr %.91.i.i, align 8, !noalias !15
  %.95.i.i = inttoptr i64 %frame_address.6.0.i.i to ptr
  %.97.i.i = load i64, ptr %.95.i.i, align 8, !noalias !15
  %.100.i.i = call ptr @PyMem_RawFree(i64 %.93.i.i), !noalias !15
  %.101.not.i.i = icmp eq i64 %.97.i.i, 0
  br i1 %.101.not.i.i, label %B606.i.loopexit.i, label %B464.i.i

B606.i.loopexit.i:                                ; preds = %B464.i.i
  %.107.i.pre.i = load i64, ptr %.137.i, align 8, !noalias !15
  br label %B606.i.i

B606.i.i:                                         ; preds = %B606.i.loopexit.i, %B428.i
  %.107.i.i = phi i64 [ %.107.i.pre.i, %B606.i.loopexit.i ], [ %.138.i, %B428.i ]
  %.109.i10.i = add nsw i64 %.107.i.i, 80
  %.110.i.i = call i64 @PyMem_RawMalloc(i64 %.109.i10.i), !noalias !15
  %.115.i.i = icmp eq i64 %.110.i.i, 0
  br i1 %.115.i.i, label %B470.i, label %take_frame.exit.i

take_frame.exit.i: ; preds = %B606.i.i
  %.126.i.i = add nsw i64 %.110.i.i, 79
  %.128.i.i = and i64 %.126.i.i, -64
  %.129.i.i = add nsw i64 %.128.i.i, -8
  %.130.i.i = inttoptr i64 %.129.i.i to ptr
  store i64 %.110.i.i, ptr %.130.i.i, align 8, !noalias !15
  %.138.i.i = load i64, ptr %.137.i, align 8, !noalias !15
  %.141.i.i = add nsw i64 %.128.i.i, -16
  %.142.i.i = inttoptr i64 %.141.i.i to ptr
  store i64 %.138.i.i, ptr %.142.i.i, align 16, !noalias !15
  %.185.i = icmp eq i64 %.128.i.i, 0
  br i1 %.185.i, label %B470.i, label %B498.i

B470.i:                                           ; preds = %take_frame.exit.i, %B606.i.i
  %.187.i = call i64 @PyErr_NoMemory(), !noalias !0
  br label %launch.exit

B498.i:                                           ; preds = %take_frame.exit.i, %take_frame.exit.thread16.i, %B456.thread.i
  %frame_address.0.i = phi i64 [ %.146.i, %B456.thread.i ], [ %.128.i.i, %take_frame.exit.i ], [ %frame_address.5.0.lcssa.i.i, %take_frame.exit.thread16.i ]
  %.22.i.i = inttoptr i64 %frame_address.0.i to ptr
  store i64 0, ptr %.22.i.i, align 8, !noalias !18
  %.31.i11.i = getelementptr i8, ptr %.22.i.i, i64 8
  store i64 %frame_address.0.i, ptr %.31.i11.i, align 8, !noalias !18
  call void @llvm.lifetime.start.p0(ptr nonnull %.217.i.i.i), !noalias !18
  call void @llvm.lifetime.start.p0(ptr nonnull %.419.i.i.i), !noalias !18
  %.30.i.i.i = load i64, ptr %.17.i, align 8, !noalias !21
  %.1132.not.i.i.i = icmp slt i64 %.30.i.i.i, 1
  br i1 %.1132.not.i.i.i, label %B194.i.i, label %B128.lr.ph.i.i.i

B128.lr.ph.i.i.i:                                 ; preds = %B498.i
  %.21.i.i12.i = getelementptr i8, ptr %.17.i, i64 96
  %.22.i.i.i = load i64, ptr %.21.i.i12.i, align 8, !noalias !21
  %.23.i.i.i = shl nsw i64 %.22.i.i.i, 3
  %.25.i.i.i = add nsw i64 %.23.i.i.i, %.12.i
  br label %B128.i.i.i

B128.i.i.i:                                       ; preds = %B930.i.i.i, %B128.lr.ph.i.i.i
  %.1267.i.i.i = phi i64 [ 1, %B128.lr.ph.i.i.i ], [ %.126.i.i.i, %B930.i.i.i ]
  %position.2.05.i.i.i = phi i64 [ %.25.i.i.i, %B128.lr.ph.i.i.i ], [ %.493.i.i.i, %B930.i.i.i ]
  %.54.04.i.i.i = phi i64 [ 0, %B128.lr.ph.i.i.i ], [ %.1267.i.i.i, %B930.i.i.i ]
  %.152.i.i.i = inttoptr i64 %position.2.05.i.i.i to ptr
  %.157.i.i.i = getelementptr i64, ptr %.2, i64 %.54.04.i.i.i
  %.158.i.i.i = load i64, ptr %.157.i.i.i, align 8, !noalias !21
  %.163.i.i.i = add nsw i64 %.158.i.i.i, 8
  %.164.i.i.i = inttoptr i64 %.163.i.i.i to ptr
  %.166.i.i.i = load i64, ptr %.164.i.i.i, align 8, !noalias !21
  %.168.i.i.i = getelementptr i8, ptr %.152.i.i.i, i64 16
  %.169.i.i.i = load i64, ptr %.168.i.i.i, align 8, !noalias !21
  %.170.not.i.i.i = icmp eq i64 %.166.i.i.i, %.169.i.i.i
  br i1 %.170.not.i.i.i, label %B270.i.i.i, label %B142.i.i

B270.i.i.i:                                       ; preds = %B128.i.i.i
  %.195.i.i.i = load i64, ptr %.152.i.i.i, align 8, !noalias !21
  %.200.i.i.i = getelementptr i8, ptr %.152.i.i.i, i64 24
  %.201.i.i.i = load i64, ptr %.200.i.i.i, align 8, !noalias !21
  switch i64 %.195.i.i.i, label %B886.i.i.i [
    i64 0, label %B344.i.i.i
    i64 5, label %B412.i.i.i
    i64 1, label %B476.i.i.i
    i64 2, label %B564.i.i.i
    i64 3, label %B682.i.i.i
    i64 6, label %B754.i.i.i
  ]

B344.i.i.i:                                       ; preds = %B270.i.i.i
  store i8 0, ptr %.217.i.i.i, align 1, !noalias !21
  call fastcc void @array_bound(ptr nonnull %.217.i.i.i, i64 %.12.i, i64 %.158.i.i.i, ptr nonnull %.152.i.i.i, ptr nonnull %.22.i.i)
  %.231.i.i.i = load i8, ptr %.217.i.i.i, align 1, !noalias !21
  %.234.not.i.i.i = icmp eq i8 %.231.i.i.i, 0
  br i1 %.234.not.i.i.i, label %B142.i.i, label %B930.i.i.i

B412.i.i.i:                                       ; preds = %B270.i.i.i
  %.281.i.i.i = getelementptr i8, ptr %.152.i.i.i, i64 32
  %.282.i.i.i = load i64, ptr %.281.i.i.i, align 8, !noalias !21
  %.284.not.i.i.i = icmp eq i64 %.158.i.i.i, %.282.i.i.i
  br i1 %.284.not.i.i.i, label %B930.i.i.i, label %B142.i.i

B476.i.i.i:                                       ; preds = %B270.i.i.i
  %.314.i.i.i = add nsw i64 %.158.i.i.i, 16
  %.317.i.i.i = inttoptr i64 %.314.i.i.i to ptr
  %.319.i.i.i = load i64, ptr %.317.i.i.i, align 8, !noalias !21
  %.322.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.201.i.i.i
  store i64 %.319.i.i.i, ptr %.322.i.i.i, align 8, !noalias !21
  br label %B930.i.i.i

B564.i.i.i:                                       ; preds = %B270.i.i.i
  %.334.i.i.i = call i64 @PyLong_AsLongLongAndOverflow(i64 %.158.i.i.i, i64 %.59.i), !noalias !21
  %.339.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.201.i.i.i
  store i64 %.334.i.i.i, ptr %.339.i.i.i, align 8, !noalias !21
  %.346.i.i.i = load i32, ptr %.58.i, align 64, !noalias !21
  %.348.not.i.i.i = icmp eq i32 %.346.i.i.i, 0
  br i1 %.348.not.i.i.i, label %B930.i.i.i, label %B142.i.i

B682.i.i.i:                                       ; preds = %B270.i.i.i
  %.376.i.i.i = getelementptr i8, ptr %.152.i.i.i, i64 32
  %.377.i.i.i = load i64, ptr %.376.i.i.i, align 8, !noalias !21
  %.379.i.i.i = icmp eq i64 %.158.i.i.i, %.377.i.i.i
  %spec.select.i.i.i = zext i1 %.379.i.i.i to i64
  %.393.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.201.i.i.i
  store i64 %spec.select.i.i.i, ptr %.393.i.i.i, align 8, !noalias !21
  br label %B930.i.i.i

B754.i.i.i:                                       ; preds = %B270.i.i.i
  %.409.i.i.i = add nsw i64 %position.2.05.i.i.i, 32
  %.411.i.i.i = inttoptr i64 %.409.i.i.i to ptr
  %.413.i.i.i = load i64, ptr %.411.i.i.i, align 8, !noalias !21
  %.414.i.i.i = shl nsw i64 %.413.i.i.i, 3
  %.415.i.i.i = add nsw i64 %.414.i.i.i, %.409.i.i.i
  store i8 0, ptr %.419.i.i.i, align 1, !noalias !21
  call fastcc void @followed_bound(ptr nonnull %.419.i.i.i, i64 %.12.i, i64 %.158.i.i.i, i64 %.409.i.i.i, i64 %.415.i.i.i, ptr nonnull %.22.i.i)
  %.433.i.i.i = load i8, ptr %.419.i.i.i, align 1, !noalias !21
  %.436.not.i.i.i = icmp eq i8 %.433.i.i.i, 0
  br i1 %.436.not.i.i.i, label %B142.i.i, label %B930.i.i.i

B886.i.i.i:                                       ; preds = %B270.i.i.i
  %.476.i.i.i = shl nsw i64 %.201.i.i.i, 3
  %.480.i.i.i = add nsw i64 %.476.i.i.i, %frame_address.0.i
  %.482.i.i.i = call ptr @guardlift_scalar_read(i64 %.158.i.i.i, i64 %.480.i.i.i), !noalias !21
  br label %B930.i.i.i

B930.i.i.i:                                       ; preds = %B886.i.i.i, %B754.i.i.i, %B682.i.i.i, %B564.i.i.i, %B476.i.i.i, %B412.i.i.i, %B344.i.i.i
  %.487.i.i.i = getelementptr i8, ptr %.152.i.i.i, i64 8
  %.488.i.i.i = load i64, ptr %.487.i.i.i, align 8, !noalias !21
  %.491.i.i.i = shl nsw i64 %.488.i.i.i, 3
  %.493.i.i.i = add nsw i64 %.491.i.i.i, %position.2.05.i.i.i
  %.126.i.i.i = add nuw i64 %.1267.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i64 %.1267.i.i.i, %.30.i.i.i
  br i1 %exitcond.not.i.i.i, label %B194.i.i, label %B128.i.i.i

B142.i.i:                                         ; preds = %B754.i.i.i, %B564.i.i.i, %B412.i.i.i, %B344.i.i.i, %B128.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.217.i.i.i), !noalias !18
  call void @llvm.lifetime.end.p0(ptr nonnull %.419.i.i.i), !noalias !18
  br label %common.ret.sink.split.i.i

B194.i.i:                                         ; preds = %B930.i.i.i, %B498.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.217.i.i.i), !noalias !18
  call void @llvm.lifetime.end.p0(ptr nonnull %.419.i.i.i), !noalias !18
  call void @llvm.lifetime.start.p0(ptr nonnull %.186.i.i.i), !noalias !18
  %.16.i.i13.i = getelementptr i8, ptr %.17.i, i64 184
  %.17.i.i14.i = load i64, ptr %.16.i.i13.i, align 8, !noalias !24
  %.18.i.i15.i = shl nsw i64 %.17.i.i14.i, 3
  %.20.i149.i.i = add nsw i64 %.18.i.i15.i, %.12.i
  %.25.i150.i.i = getelementptr i8, ptr %.17.i, i64 192
  %.26.i.i.i = load i64, ptr %.25.i150.i.i, align 8, !noalias !24
  %.1088.not.i.i.i = icmp slt i64 %.26.i.i.i, 1
  br i1 %.1088.not.i.i.i, label %B332.i.i.i, label %B126.i.i.i

B126.i.i.i:                                       ; preds = %B194.i.i, %B266.i.i.i
  %.11711.in.i.i.i = phi i64 [ %.11711.i.i.i, %B266.i.i.i ], [ %.26.i.i.i, %B194.i.i ]
  %position.3.010.i.i.i = phi i64 [ %.241.i.i.i, %B266.i.i.i ], [ %.20.i149.i.i, %B194.i.i ]
  %.147.i.i.i = inttoptr i64 %position.3.010.i.i.i to ptr
  %.149.i.i.i = load i64, ptr %.147.i.i.i, align 8, !noalias !24
  %.150.i.i.i = shl nsw i64 %.149.i.i.i, 3
  %.152.i151.i.i = add nsw i64 %.150.i.i.i, %position.3.010.i.i.i
  %0 = getelementptr i8, ptr %.147.i.i.i, i64 8
  %.147.val.i.i.i = load i64, ptr %0, align 8, !noalias !24
  %.7.i.i.i.i = add nsw i64 %.147.val.i.i.i, 16
  %.8.i.i.i.i = inttoptr i64 %.7.i.i.i.i to ptr
  %.10.i.i.i.i = load i64, ptr %.8.i.i.i.i, align 8, !noalias !27
  store i8 0, ptr %.186.i.i.i, align 1, !noalias !24
  call fastcc void @followed_bound(ptr nonnull %.186.i.i.i, i64 %.12.i, i64 %.10.i.i.i.i, i64 %position.3.010.i.i.i, i64 %.152.i151.i.i, ptr nonnull %.22.i.i)
  %.200.i152.i.i = load i8, ptr %.186.i.i.i, align 1, !noalias !24
  %.203.not.i.i.i = icmp eq i8 %.200.i152.i.i, 0
  br i1 %.203.not.i.i.i, label %B226.i.i, label %B266.i.i.i

B266.i.i.i:                                       ; preds = %B126.i.i.i
  %.11711.i.i.i = add nsw i64 %.11711.in.i.i.i, -1
  %.236.i.i.i = inttoptr i64 %.152.i151.i.i to ptr
  %.237.i.i.i = getelementptr i8, ptr %.236.i.i.i, i64 8
  %.238.i.i.i = load i64, ptr %.237.i.i.i, align 8, !noalias !24
  %1 = add i64 %.238.i.i.i, %.149.i.i.i
  %2 = shl i64 %1, 3
  %.241.i.i.i = add i64 %2, %position.3.010.i.i.i
  %.108.i.i.i = icmp sgt i64 %.11711.in.i.i.i, 1
  br i1 %.108.i.i.i, label %B126.i.i.i, label %B332.i.i.i

B332.i.i.i:                                       ; preds = %B266.i.i.i, %B194.i.i
  %position.3.0.lcssa.i.i.i = phi i64 [ %.20.i149.i.i, %B194.i.i ], [ %.241.i.i.i, %B266.i.i.i ]
  %.262.i.i.i = getelementptr i8, ptr %.17.i, i64 200
  %.263.i.i.i = load i64, ptr %.262.i.i.i, align 8, !noalias !24
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
  %.384.val.i.i.i = load i64, ptr %3, align 8, !noalias !24
  %.7.i148.i.i.i = add nsw i64 %.384.val.i.i.i, 16
  %.8.i149.i.i.i = inttoptr i64 %.7.i148.i.i.i to ptr
  %.10.i150.i.i.i = load i64, ptr %.8.i149.i.i.i, align 8, !noalias !30
  %.15.i.i.i.i = getelementptr i8, ptr %.384.i.i.i, i64 24
  %.16.i.i.i.i = load i64, ptr %.15.i.i.i.i, align 8, !noalias !33
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
  %.146.i.i.i.i = load i64, ptr %.144.i.i.i.i, align 8, !noalias !33
  %.149.i.i.i.i = load i64, ptr %.138.i.i.i.i, align 8, !noalias !33
  %.150.not.i.i.i.i = icmp eq i64 %.146.i.i.i.i, %.149.i.i.i.i
  br i1 %.150.not.i.i.i.i, label %B238.i.i.i.i, label %B226.i.i

B238.i.i.i.i:                                     ; preds = %B112.i.i.i.i
  %.164.i.i.i.i = add i64 %position.3.016.i.i.i.i, 24
  %.171.i.i.i.i = getelementptr i8, ptr %.138.i.i.i.i, i64 16
  %.172.i.i.i.i = load i64, ptr %.171.i.i.i.i, align 8, !noalias !33
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
  %.297.i.i.i.i = load i64, ptr %.291.i.i.i.i, align 8, !noalias !33
  %.298.i.i.i.i = and i64 %.297.i.i.i.i, 1
  %.299.not.i.i.i.i = icmp eq i64 %.298.i.i.i.i, 0
  br i1 %.299.not.i.i.i.i, label %B558.i.i.i.i, label %B382.i.i.i.i

B382.i.i.i.i:                                     ; preds = %B318.i.i.i.i
  %.304.i.i.i.i = and i64 %.297.i.i.i.i, -2
  %.306.i.i.i.i = add nsw i64 %.304.i.i.i.i, %thing.2.017.i.i.i.i
  %.307.i.i.i.i = inttoptr i64 %.306.i.i.i.i to ptr
  %.309.i.i.i.i = load i64, ptr %.307.i.i.i.i, align 8, !noalias !33
  %.314.i.i.i.i = icmp eq i64 %.309.i.i.i.i, 0
  br i1 %.314.i.i.i.i, label %B226.i.i, label %B470.i.i.i.i

B470.i.i.i.i:                                     ; preds = %B382.i.i.i.i
  %.317.i.i.i.i = add nsw i64 %.309.i.i.i.i, 8
  %.320.i.i.i.i = inttoptr i64 %.317.i.i.i.i to ptr
  %.322.i.i.i.i = load i64, ptr %.320.i.i.i.i, align 8, !noalias !33
  %.324.i.i.i.i = getelementptr i8, ptr %.291.i.i.i.i, i64 8
  %.325.i.i.i.i = load i64, ptr %.324.i.i.i.i, align 8, !noalias !33
  %.328.i.i.i.i = icmp eq i64 %.322.i.i.i.i, %.325.i.i.i.i
  br i1 %.328.i.i.i.i, label %B226.i.i, label %B646.i.i.i.i

B558.i.i.i.i:                                     ; preds = %B318.i.i.i.i
  %.351.i.i.i.i = add nsw i64 %.297.i.i.i.i, %thing.2.017.i.i.i.i
  %.352.i.i.i.i = inttoptr i64 %.351.i.i.i.i to ptr
  %.354.i.i.i.i = load i64, ptr %.352.i.i.i.i, align 8, !noalias !33
  %.356.i.i.i.i = getelementptr i8, ptr %.291.i.i.i.i, i64 8
  %.357.i.i.i.i = load i64, ptr %.356.i.i.i.i, align 8, !noalias !33
  %.360.not.i.i.i.i = icmp eq i64 %.354.i.i.i.i, %.357.i.i.i.i
  br i1 %.360.not.i.i.i.i, label %B646.i.i.i.i, label %B226.i.i

B646.i.i.i.i:                                     ; preds = %B558.i.i.i.i, %B470.i.i.i.i
  %.375.i.i.i.i = add nsw i64 %position.4.011.i.i.i.i, 16
  %.252.i.i.i.i = icmp samesign ugt i64 %.26112.in.i.i.i.i, 1
  br i1 %.252.i.i.i.i, label %B318.i.i.i.i, label %B658.i.i.i.i

B658.i.i.i.i:                                     ; preds = %B646.i.i.i.i, %B238.i.i.i.i
  %position.4.0.lcssa.i.i.i.i = phi i64 [ %.164.i.i.i.i, %B238.i.i.i.i ], [ %5, %B646.i.i.i.i ]
  %.388.i.i.i.i = getelementptr i8, ptr %.138.i.i.i.i, i64 8
  %.389.i.i.i.i = load i64, ptr %.388.i.i.i.i, align 8, !noalias !33
  %.390.not.i.i.i.i = icmp eq i64 %.389.i.i.i.i, 0
  br i1 %.390.not.i.i.i.i, label %B780.i.i.i.i, label %B692.i.i.i.i

B692.i.i.i.i:                                     ; preds = %B658.i.i.i.i
  %.398.i.i.i.i = add nsw i64 %.389.i.i.i.i, %thing.2.017.i.i.i.i
  %.401.i.i.i.i = inttoptr i64 %.398.i.i.i.i to ptr
  %.403.i.i.i.i = load i64, ptr %.401.i.i.i.i, align 8, !noalias !33
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
  %.453.i.i.i = load i64, ptr %.384.i.i.i, align 8, !noalias !24
  %.456.i.i.i = shl nsw i64 %.453.i.i.i, 3
  %.458.i.i.i = add nsw i64 %.456.i.i.i, %position.4.015.i.i.i
  %.345.i.i.i = icmp sgt i64 %.292.216.i.i.i, 0
  %.354.i.i.i = sext i1 %.345.i.i.i to i64
  %.292.2.i.i.i = add nsw i64 %.292.216.i.i.i, %.354.i.i.i
  br i1 %.345.i.i.i, label %B386.i.i.i, label %B278.i.i

B226.i.i:                                         ; preds = %B126.i.i.i, %followed.exit.i.i.i, %B692.i.i.i.i, %B112.i.i.i.i, %B558.i.i.i.i, %B470.i.i.i.i, %B382.i.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.186.i.i.i), !noalias !18
  br label %common.ret.sink.split.i.i

B278.i.i:                                         ; preds = %B490.i.i.i, %B332.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.186.i.i.i), !noalias !18
  %.197.i.i = getelementptr i8, ptr %.17.i, i64 248
  %.198.i.i = load i64, ptr %.197.i.i, align 8, !noalias !18
  %.203.not.i.i = icmp eq i64 %.198.i.i, 0
  br i1 %.203.not.i.i, label %B400.i.i, label %B316.i.i

B316.i.i:                                         ; preds = %B278.i.i
  %.11.i155.i.i = inttoptr i64 %.198.i.i to ptr
  %.16.i156.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 360
  %.17.i157.i.i = load i64, ptr %.16.i156.i.i, align 8, !noalias !36
  %.18.i158.i.i = inttoptr i64 %.17.i157.i.i to ptr
  %.20.i159.i.i = load i64, ptr %.18.i158.i.i, align 8, !noalias !36
  %.22.i160.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 352
  %.23.i161.i.i = load i64, ptr %.22.i160.i.i, align 8, !noalias !36
  %.24.not.i.i.i = icmp eq i64 %.20.i159.i.i, %.23.i161.i.i
  br i1 %.24.not.i.i.i, label %watched_slots_fit.exit.i.i, label %B132.i.i.i.i

B132.i.i.i.i:                                     ; preds = %B316.i.i
  %.31.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 296
  %.32.i.i.i.i = load i64, ptr %.31.i.i.i.i, align 8, !noalias !39
  %.1144.i.i.i.i = icmp sgt i64 %.32.i.i.i.i, 0
  br i1 %.1144.i.i.i.i, label %B186.lr.ph.i.i.i.i, label %all_looked.exit.i.i.i

B186.lr.ph.i.i.i.i:                               ; preds = %B132.i.i.i.i
  %.59.27.i.i.i.i = add nsw i64 %.32.i.i.i.i, -1
  %.14.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 304
  %.11.i.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 312
  %.40.i.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 192
  %.68.phi.trans.insert.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.58.i, i64 8
  %.93.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 336
  %.27.i.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 344
  %.173.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 328
  %.181.i.i.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 320
  br label %B186.i.i.i.i

B186.i.i.i.i:                                     ; preds = %looked.exit.i.i.i.i, %B186.lr.ph.i.i.i.i
  %.59.210.i.i.i.i = phi i64 [ %.59.27.i.i.i.i, %B186.lr.ph.i.i.i.i ], [ %.59.2.i.i.i.i, %looked.exit.i.i.i.i ]
  %.56.19.i.i.i.i = phi i64 [ 1, %B186.lr.ph.i.i.i.i ], [ %.56.1.i.i.i.i, %looked.exit.i.i.i.i ]
  %.56.08.i.i.i.i = phi i64 [ 0, %B186.lr.ph.i.i.i.i ], [ %.56.19.i.i.i.i, %looked.exit.i.i.i.i ]
  %.15.i.i.i.i.i = load i64, ptr %.14.i.i.i.i.i, align 8, !noalias !42
  %.16.i.i.i.i.i = mul nsw i64 %.56.08.i.i.i.i, 3
  %.17.i.i.i.i.i = add nsw i64 %.15.i.i.i.i.i, %.16.i.i.i.i.i
  %.18.i.i.i.i.i = shl nsw i64 %.17.i.i.i.i.i, 3
  %.19.i.i.i.i.i = add nsw i64 %.18.i.i.i.i.i, %.198.i.i
  %.20.i.i.i.i.i = inttoptr i64 %.19.i.i.i.i.i to ptr
  call void @llvm.lifetime.start.p0(ptr nonnull %.148.i.i.i.i.i.i), !noalias !42
  %.12.i.i.i.i.i.i = load i64, ptr %.11.i.i.i.i.i.i, align 8, !noalias !45
  %.13.i.i.i.i.i.i = shl nsw i64 %.12.i.i.i.i.i.i, 3
  %.15.i.i.i.i.i.i = add nsw i64 %.13.i.i.i.i.i.i, %.198.i.i
  %.16.i.i.i.i.i.i = inttoptr i64 %.15.i.i.i.i.i.i to ptr
  %.17.i.i.i.i.i.i = getelementptr i64, ptr %.16.i.i.i.i.i.i, i64 %.56.08.i.i.i.i
  %.18.i.i.i.i.i.i = load i64, ptr %.17.i.i.i.i.i.i, align 8, !noalias !45
  %.19.i.i.i.i.i.i = shl nsw i64 %.18.i.i.i.i.i.i, 3
  %.21.i.i.i.i.i.i = add nsw i64 %.19.i.i.i.i.i.i, %.198.i.i
  %.26.i.i.i.i.i.i = inttoptr i64 %.21.i.i.i.i.i.i to ptr
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 64 dereferenceable(16) %.58.i, i8 0, i64 16, i1 false), !noalias !45
  %.41.i.i.i.i.i.i = load i64, ptr %.40.i.i.i.i.i.i, align 8, !noalias !45
  %.42.not.i.i.i.i.i.i = icmp slt i64 %.56.08.i.i.i.i, %.41.i.i.i.i.i.i
  %6 = getelementptr i8, ptr %.26.i.i.i.i.i.i, i64 8
  %.26.val.i.i.i.i.i.i = load i64, ptr %6, align 8, !noalias !45
  %.7.i7.i.i.i.i.i.i = add nsw i64 %.26.val.i.i.i.i.i.i, 16
  %.8.i8.i.i.i.i.i.i = inttoptr i64 %.7.i7.i.i.i.i.i.i to ptr
  %.10.i9.i.i.i.i.i.i = load i64, ptr %.8.i8.i.i.i.i.i.i, align 8, !noalias !45
  br i1 %.42.not.i.i.i.i.i.i, label %found.exit.i.i.i.i.i, label %B256.i.i.i.i.i.i

B256.i.i.i.i.i.i:                                 ; preds = %B186.i.i.i.i
  %.15.i.i.i.i.i.i.i = getelementptr i8, ptr %.26.i.i.i.i.i.i, i64 24
  %.16.i.i.i.i.i.i.i = load i64, ptr %.15.i.i.i.i.i.i.i, align 8, !noalias !48
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
  %.146.i.i.i.i.i.i.i = load i64, ptr %.144.i.i.i.i.i.i.i, align 8, !noalias !48
  %.149.i.i.i.i.i.i.i = load i64, ptr %.138.i.i.i.i.i.i.i, align 8, !noalias !48
  %.150.not.i.i.i.i.i.i.i = icmp eq i64 %.146.i.i.i.i.i.i.i, %.149.i.i.i.i.i.i.i
  br i1 %.150.not.i.i.i.i.i.i.i, label %B238.i.i.i.i.i.i.i, label %followed.exit.i.thread.i.i.i.i.i

B238.i.i.i.i.i.i.i:                               ; preds = %B112.i.i.i.i.i.i.i
  %.164.i.i.i.i.i.i.i = add i64 %position.3.016.i.i.i.i.i.i.i, 24
  %.171.i.i.i.i.i.i.i = getelementptr i8, ptr %.138.i.i.i.i.i.i.i, i64 16
  %.172.i.i.i.i.i.i.i = load i64, ptr %.171.i.i.i.i.i.i.i, align 8, !noalias !48
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
  %.297.i.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i.i, align 8, !noalias !48
  %.298.i.i.i.i.i.i.i = and i64 %.297.i.i.i.i.i.i.i, 1
  %.299.not.i.i.i.i.i.i.i = icmp eq i64 %.298.i.i.i.i.i.i.i, 0
  br i1 %.299.not.i.i.i.i.i.i.i, label %B558.i.i.i.i.i.i.i, label %B382.i.i.i.i.i.i.i

B382.i.i.i.i.i.i.i:                               ; preds = %B318.i.i.i.i.i.i.i
  %.304.i.i.i.i.i.i.i = and i64 %.297.i.i.i.i.i.i.i, -2
  %.306.i.i.i.i.i.i.i = add nsw i64 %.304.i.i.i.i.i.i.i, %thing.2.017.i.i.i.i.i.i.i
  %.307.i.i.i.i.i.i.i = inttoptr i64 %.306.i.i.i.i.i.i.i to ptr
  %.309.i.i.i.i.i.i.i = load i64, ptr %.307.i.i.i.i.i.i.i, align 8, !noalias !48
  %.314.i.i.i.i.i.i.i = icmp eq i64 %.309.i.i.i.i.i.i.i, 0
  br i1 %.314.i.i.i.i.i.i.i, label %followed.exit.i.thread.i.i.i.i.i, label %B470.i.i.i.i.i.i.i

B470.i.i.i.i.i.i.i:                               ; preds = %B382.i.i.i.i.i.i.i
  %.317.i.i.i.i.i.i.i = add nsw i64 %.309.i.i.i.i.i.i.i, 8
  %.320.i.i.i.i.i.i.i = inttoptr i64 %.317.i.i.i.i.i.i.i to ptr
  %.322.i.i.i.i.i.i.i = load i64, ptr %.320.i.i.i.i.i.i.i, align 8, !noalias !48
  %.324.i.i.i.i.i.i.i = getelementptr i8, ptr %.291.i.i.i.i.i.i.i, i64 8
  %.325.i.i.i.i.i.i.i = load i64, ptr %.324.i.i.i.i.i.i.i, align 8, !noalias !48
  %.328.i.i.i.i.i.i.i = icmp eq i64 %.322.i.i.i.i.i.i.i, %.325.i.i.i.i.i.i.i
  br i1 %.328.i.i.i.i.i.i.i, label %followed.exit.i.thread.i.i.i.i.i, label %B646.i.i.i.i.i.i.i

B558.i.i.i.i.i.i.i:                               ; preds = %B318.i.i.i.i.i.i.i
  %.351.i.i.i.i.i.i.i = add nsw i64 %.297.i.i.i.i.i.i.i, %thing.2.017.i.i.i.i.i.i.i
  %.352.i.i.i.i.i.i.i = inttoptr i64 %.351.i.i.i.i.i.i.i to ptr
  %.354.i.i.i.i.i.i.i = load i64, ptr %.352.i.i.i.i.i.i.i, align 8, !noalias !48
  %.356.i.i.i.i.i.i.i = getelementptr i8, ptr %.291.i.i.i.i.i.i.i, i64 8
  %.357.i.i.i.i.i.i.i = load i64, ptr %.356.i.i.i.i.i.i.i, align 8, !noalias !48
  %.360.not.i.i.i.i.i.i.i = icmp eq i64 %.354.i.i.i.i.i.i.i, %.357.i.i.i.i.i.i.i
  br i1 %.360.not.i.i.i.i.i.i.i, label %B646.i.i.i.i.i.i.i, label %followed.exit.i.thread.i.i.i.i.i

B646.i.i.i.i.i.i.i:                               ; preds = %B558.i.i.i.i.i.i.i, %B470.i.i.i.i.i.i.i
  %.375.i.i.i.i.i.i.i = add nsw i64 %position.4.011.i.i.i.i.i.i.i, 16
  %.252.i.i.i.i.i.i.i = icmp samesign ugt i64 %.26112.in.i.i.i.i.i.i.i, 1
  br i1 %.252.i.i.i.i.i.i.i, label %B318.i.i.i.i.i.i.i, label %B658.i.i.i.i.i.i.i

B658.i.i.i.i.i.i.i:                               ; preds = %B646.i.i.i.i.i.i.i, %B238.i.i.i.i.i.i.i
  %position.4.0.lcssa.i.i.i.i.i.i.i = phi i64 [ %.164.i.i.i.i.i.i.i, %B238.i.i.i.i.i.i.i ], [ %8, %B646.i.i.i.i.i.i.i ]
  %.388.i.i.i.i.i.i.i = getelementptr i8, ptr %.138.i.i.i.i.i.i.i, i64 8
  %.389.i.i.i.i.i.i.i = load i64, ptr %.388.i.i.i.i.i.i.i, align 8, !noalias !48
  %.390.not.i.i.i.i.i.i.i = icmp eq i64 %.389.i.i.i.i.i.i.i, 0
  br i1 %.390.not.i.i.i.i.i.i.i, label %B780.i.i.i.i.i.i.i, label %B692.i.i.i.i.i.i.i

B692.i.i.i.i.i.i.i:                               ; preds = %B658.i.i.i.i.i.i.i
  %.398.i.i.i.i.i.i.i = add nsw i64 %.389.i.i.i.i.i.i.i, %thing.2.017.i.i.i.i.i.i.i
  %.401.i.i.i.i.i.i.i = inttoptr i64 %.398.i.i.i.i.i.i.i to ptr
  %.403.i.i.i.i.i.i.i = load i64, ptr %.401.i.i.i.i.i.i.i, align 8, !noalias !48
  %.406.i.i.i.i.i.i.i = icmp eq i64 %.403.i.i.i.i.i.i.i, 0
  br i1 %.406.i.i.i.i.i.i.i, label %followed.exit.i.thread.i.i.i.i.i, label %B780.i.i.i.i.i.i.i

B780.i.i.i.i.i.i.i:                               ; preds = %B692.i.i.i.i.i.i.i, %B658.i.i.i.i.i.i.i
  %thing.3.0.i.i.i.i.i.i.i = phi i64 [ %thing.2.017.i.i.i.i.i.i.i, %B658.i.i.i.i.i.i.i ], [ %.403.i.i.i.i.i.i.i, %B692.i.i.i.i.i.i.i ]
  %.99.i.i.i.i.i.i.i = icmp sgt i64 %.43.218.i.i.i.i.i.i.i, 0
  %.108.i.i.i.i.i.i.i = sext i1 %.99.i.i.i.i.i.i.i to i64
  %.43.2.i.i.i.i.i.i.i = add nsw i64 %.43.218.i.i.i.i.i.i.i, %.108.i.i.i.i.i.i.i
  br i1 %.99.i.i.i.i.i.i.i, label %B112.i.i.i.i.i.i.i, label %followed.exit.i.i.i.i.i.i

followed.exit.i.thread.i.i.i.i.i: ; preds = %B692.i.i.i.i.i.i.i, %B112.i.i.i.i.i.i.i, %B558.i.i.i.i.i.i.i, %B470.i.i.i.i.i.i.i, %B382.i.i.i.i.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.148.i.i.i.i.i.i), !noalias !42
  br label %B212.i.i.i.i.i

followed.exit.i.i.i.i.i.i: ; preds = %B780.i.i.i.i.i.i.i, %B256.i.i.i.i.i.i
  %thing.2.0.lcssa.sink.i.i.i.i.i.i.i = phi i64 [ %.10.i9.i.i.i.i.i.i, %B256.i.i.i.i.i.i ], [ %thing.3.0.i.i.i.i.i.i.i, %B780.i.i.i.i.i.i.i ]
  %.106.i.not.i.i.i.i.i = icmp ne i64 %thing.2.0.lcssa.sink.i.i.i.i.i.i.i, 0
  call void @llvm.lifetime.end.p0(ptr nonnull %.148.i.i.i.i.i.i), !noalias !42
  br label %B212.i.i.i.i.i

found.exit.i.i.i.i.i: ; preds = %B186.i.i.i.i
  %.139.i.i.i.i.i.i = load i64, ptr %.26.i.i.i.i.i.i, align 8, !noalias !45
  %9 = add i64 %.139.i.i.i.i.i.i, %.18.i.i.i.i.i.i
  %10 = shl i64 %9, 3
  %.144.i.i.i.i.i.i = add i64 %10, %.198.i.i
  store i8 0, ptr %.148.i.i.i.i.i.i, align 1, !noalias !45
  call fastcc void @followed_bound(ptr nonnull %.148.i.i.i.i.i.i, i64 range(i64 1, 0) %.198.i.i, i64 %.10.i9.i.i.i.i.i.i, i64 %.21.i.i.i.i.i.i, i64 %.144.i.i.i.i.i.i, ptr nonnull %.58.i)
  %.162.i.i.i.i.i.i = load i8, ptr %.148.i.i.i.i.i.i, align 1, !noalias !45
  %.165.i.not.i.i.i.i.i = icmp ne i8 %.162.i.i.i.i.i.i, 0
  call void @llvm.lifetime.end.p0(ptr nonnull %.148.i.i.i.i.i.i), !noalias !42
  %.69.pre.i.i.i.i.i = load i64, ptr %.68.phi.trans.insert.i.i.i.i.i, align 8, !noalias !0
  %spec.select19.i = select i1 %.165.i.not.i.i.i.i.i, i64 %.69.pre.i.i.i.i.i, i64 0
  br label %B212.i.i.i.i.i

B212.i.i.i.i.i:                                   ; preds = %found.exit.i.i.i.i.i, %followed.exit.i.i.i.i.i.i, %followed.exit.i.thread.i.i.i.i.i
  %storemerge.in.i2.i.i.i.i.i = phi i1 [ false, %followed.exit.i.thread.i.i.i.i.i ], [ %.165.i.not.i.i.i.i.i, %found.exit.i.i.i.i.i ], [ %.106.i.not.i.i.i.i.i, %followed.exit.i.i.i.i.i.i ]
  %storemerge.i.i.i.i.i = phi i64 [ 0, %followed.exit.i.thread.i.i.i.i.i ], [ %spec.select19.i, %found.exit.i.i.i.i.i ], [ 0, %followed.exit.i.i.i.i.i.i ]
  %.84.i.i.i.i.i = getelementptr i8, ptr %.20.i.i.i.i.i, i64 8
  %.85.i.i.i.i.i = load i64, ptr %.84.i.i.i.i.i, align 8, !noalias !42
  %.90.not.i.i.i.i.i = icmp eq i64 %.85.i.i.i.i.i, 0
  br i1 %.90.not.i.i.i.i.i, label %B322.i.i.i.i.i, label %B252.i.i.i.i.i

B252.i.i.i.i.i:                                   ; preds = %B212.i.i.i.i.i
  %.94.i.i.i.i.i = load i64, ptr %.93.i.i.i.i.i, align 8, !noalias !42
  %.95.not.i.i.i.i.i = icmp eq i64 %.94.i.i.i.i.i, 0
  br i1 %.95.not.i.i.i.i.i, label %B322.i.i.i.i.i, label %B286.i.i.i.i.i

B286.i.i.i.i.i:                                   ; preds = %B252.i.i.i.i.i
  %.10.i10.i.i.i.i.i = call i64 @PyMem_RawMalloc(i64 16), !noalias !51
  %.15.i11.i.i.i.i.i = icmp eq i64 %.10.i10.i.i.i.i.i, 0
  br i1 %.15.i11.i.i.i.i.i, label %common.ret.sink.split.i.i, label %put_aside.exit.i.i.i.i.i

put_aside.exit.i.i.i.i.i: ; preds = %B286.i.i.i.i.i
  %.28.i.i.i.i.i.i = load i64, ptr %.27.i.i.i.i.i.i, align 8, !noalias !51
  %.30.i12.i.i.i.i.i = inttoptr i64 %.10.i10.i.i.i.i.i to ptr
  store i64 %.28.i.i.i.i.i.i, ptr %.30.i12.i.i.i.i.i, align 8, !noalias !51
  %.36.i.i.i.i.i.i = getelementptr i8, ptr %.30.i12.i.i.i.i.i, i64 8
  store i64 %.85.i.i.i.i.i, ptr %.36.i.i.i.i.i.i, align 8, !noalias !51
  store i64 %.10.i10.i.i.i.i.i, ptr %.27.i.i.i.i.i.i, align 8, !noalias !51
  br label %B322.i.i.i.i.i

B322.i.i.i.i.i:                                   ; preds = %put_aside.exit.i.i.i.i.i, %B252.i.i.i.i.i, %B212.i.i.i.i.i
  br i1 %storemerge.in.i2.i.i.i.i.i, label %B326.i.i.i.i.i, label %B452.i.i.i.i.i

B326.i.i.i.i.i:                                   ; preds = %B322.i.i.i.i.i
  %.156.i.i.i.i.i = load i64, ptr %.58.i, align 64, !noalias !42
  %.162.i.i.i.i.i = load i64, ptr %.20.i.i.i.i.i, align 8, !noalias !42
  %.164.not.i.i.i.i.i = icmp eq i64 %.156.i.i.i.i.i, %.162.i.i.i.i.i
  br i1 %.164.not.i.i.i.i.i, label %B452.i.i.i.i.i, label %B412.i.i.i.i.i

B412.i.i.i.i.i:                                   ; preds = %B326.i.i.i.i.i
  store i64 %.156.i.i.i.i.i, ptr %.20.i.i.i.i.i, align 8, !noalias !42
  store i64 1, ptr %.173.i.i.i.i.i, align 8, !noalias !42
  br label %B452.i.i.i.i.i

B452.i.i.i.i.i:                                   ; preds = %B412.i.i.i.i.i, %B326.i.i.i.i.i, %B322.i.i.i.i.i
  %.182.i.i.i.i.i = load i64, ptr %.181.i.i.i.i.i, align 8, !noalias !42
  %.184.i.i.i.i.i = getelementptr i8, ptr %.20.i.i.i.i.i, i64 16
  %.185.i.i.i.i.i = load i64, ptr %.184.i.i.i.i.i, align 8, !noalias !42
  %spec.select.i.i.i.i.i = sext i1 %storemerge.in.i2.i.i.i.i.i to i64
  %.210.i.i.i.i.i = add i64 %.182.i.i.i.i.i, %spec.select.i.i.i.i.i
  %.216.i.i.i.i.i = add i64 %.210.i.i.i.i.i, %.185.i.i.i.i.i
  store i64 %.216.i.i.i.i.i, ptr %.181.i.i.i.i.i, align 8, !noalias !42
  %storemerge3.i.i.i.i.i = zext i1 %storemerge.in.i2.i.i.i.i.i to i64
  store i64 %storemerge3.i.i.i.i.i, ptr %.184.i.i.i.i.i, align 8, !noalias !42
  store i64 %storemerge.i.i.i.i.i, ptr %.84.i.i.i.i.i, align 8, !noalias !42
  %.251.not.i.i.i.i.i = icmp eq i64 %storemerge.i.i.i.i.i, 0
  br i1 %.251.not.i.i.i.i.i, label %B620.i.i.i.i.i, label %B590.i.i.i.i.i

B590.i.i.i.i.i:                                   ; preds = %B452.i.i.i.i.i
  %.254.i.i.i.i.i = call ptr @Py_IncRef(i64 %storemerge.i.i.i.i.i), !noalias !42
  br label %B620.i.i.i.i.i

B620.i.i.i.i.i:                                   ; preds = %B590.i.i.i.i.i, %B452.i.i.i.i.i
  br i1 %.90.not.i.i.i.i.i, label %looked.exit.i.i.i.i, label %B632.i.i.i.i.i

B632.i.i.i.i.i:                                   ; preds = %B620.i.i.i.i.i
  %.265.i.i.i.i.i = load i64, ptr %.93.i.i.i.i.i, align 8, !noalias !42
  %.268.i.i.i.i.i = icmp eq i64 %.265.i.i.i.i.i, 0
  br i1 %.268.i.i.i.i.i, label %B666.i.i.i.i.i, label %looked.exit.i.i.i.i

B666.i.i.i.i.i:                                   ; preds = %B632.i.i.i.i.i
  %.271.i.i.i.i.i = call ptr @Py_DecRef(i64 %.85.i.i.i.i.i), !noalias !42
  br label %looked.exit.i.i.i.i

looked.exit.i.i.i.i: ; preds = %B666.i.i.i.i.i, %B632.i.i.i.i.i, %B620.i.i.i.i.i
  %.114.i.i.i.i = icmp sgt i64 %.59.210.i.i.i.i, 0
  %.127.i.i.i.i = zext i1 %.114.i.i.i.i to i64
  %.56.1.i.i.i.i = add i64 %.56.19.i.i.i.i, %.127.i.i.i.i
  %.123.i.i.i.i = sext i1 %.114.i.i.i.i to i64
  %.59.2.i.i.i.i = add nsw i64 %.59.210.i.i.i.i, %.123.i.i.i.i
  br i1 %.114.i.i.i.i, label %B186.i.i.i.i, label %all_looked.exit.i.i.i

all_looked.exit.i.i.i: ; preds = %looked.exit.i.i.i.i, %B132.i.i.i.i
  store i64 %.20.i159.i.i, ptr %.22.i160.i.i, align 8, !noalias !39
  br label %watched_slots_fit.exit.i.i

watched_slots_fit.exit.i.i: ; preds = %all_looked.exit.i.i.i, %B316.i.i
  %.79.i.i.i = getelementptr i8, ptr %.11.i155.i.i, i64 320
  %.80.i.i.i = load i64, ptr %.79.i.i.i, align 8, !noalias !36
  %.83.i.not.i.i = icmp eq i64 %.80.i.i.i, 0
  br i1 %.83.i.not.i.i, label %B400.i.i, label %common.ret.sink.split.i.i

B400.i.i:                                         ; preds = %watched_slots_fit.exit.i.i, %B278.i.i
  %.16.i164.i.i = getelementptr i8, ptr %.17.i, i64 224
  %.17.i165.i.i = load i64, ptr %.16.i164.i.i, align 8, !noalias !54
  %.18.i166.i.i = shl nsw i64 %.17.i165.i.i, 3
  %.20.i167.i.i = add nsw i64 %.18.i166.i.i, %.12.i
  %.21.i168.i.i = inttoptr i64 %.20.i167.i.i to ptr
  %.29.i.i.i = getelementptr i8, ptr %.17.i, i64 232
  %.30.i169.i.i = load i64, ptr %.29.i.i.i, align 8, !noalias !54
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
  %.153.i.i.i = load i64, ptr %.152.i171.i.i, align 8, !noalias !54
  %.155.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.153.i.i.i
  %.156.i.i.i = load i64, ptr %.155.i.i.i, align 8, !noalias !54
  %.160.i.i.i = getelementptr i8, ptr %.152.i171.i.i, i64 8
  %.161.i.i.i = load i64, ptr %.160.i.i.i, align 8, !noalias !54
  %.162.i.i.i = xor i64 %.161.i.i.i, %.156.i.i.i
  %.164.i172.i.i = or i64 %.162.i.i.i, %moved.3.06.i.i.i
  store i64 %.156.i.i.i, ptr %.160.i.i.i, align 8, !noalias !54
  %.125.i.i.i = shl i64 %.54.04.i170.i.i, 4
  %.125.i.i.i.1 = add nuw nsw i64 %.54.04.i170.i.i, 2
  %13 = getelementptr i8, ptr %.21.i168.i.i, i64 %.125.i.i.i
  %.152.i171.i.i.1 = getelementptr i8, ptr %13, i64 16
  %.153.i.i.i.1 = load i64, ptr %.152.i171.i.i.1, align 8, !noalias !54
  %.155.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.153.i.i.i.1
  %.156.i.i.i.1 = load i64, ptr %.155.i.i.i.1, align 8, !noalias !54
  %.160.i.i.i.1 = getelementptr i8, ptr %13, i64 24
  %.161.i.i.i.1 = load i64, ptr %.160.i.i.i.1, align 8, !noalias !54
  %.162.i.i.i.1 = xor i64 %.161.i.i.i.1, %.156.i.i.i.1
  %.164.i172.i.i.1 = or i64 %.162.i.i.i.1, %.164.i172.i.i
  store i64 %.156.i.i.i.1, ptr %.160.i.i.i.1, align 8, !noalias !54
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
  %.153.i.i.i.epil = load i64, ptr %.152.i171.i.i.epil, align 8, !noalias !54
  %.155.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.153.i.i.i.epil
  %.156.i.i.i.epil = load i64, ptr %.155.i.i.i.epil, align 8, !noalias !54
  %.160.i.i.i.epil = getelementptr i8, ptr %.152.i171.i.i.epil, i64 8
  %.161.i.i.i.epil = load i64, ptr %.160.i.i.i.epil, align 8, !noalias !54
  %.162.i.i.i.epil = xor i64 %.161.i.i.i.epil, %.156.i.i.i.epil
  %.164.i172.i.i.epil = or i64 %.162.i.i.i.epil, %moved.3.06.i.i.i.epil.init
  store i64 %.156.i.i.i.epil, ptr %.160.i.i.i.epil, align 8, !noalias !54
  br label %B256.i.i.i

B256.i.i.i:                                       ; preds = %B156.i.i.i.epil.preheader, %B256.i.i.i.loopexit.unr-lcssa, %B400.i.i
  %moved.3.0.lcssa.i.i.i = phi i64 [ 0, %B400.i.i ], [ %.164.i172.i.i.1, %B256.i.i.i.loopexit.unr-lcssa ], [ %.164.i172.i.i.epil, %B156.i.i.i.epil.preheader ]
  %.183.i.i.i = load i64, ptr %.197.i.i, align 8, !noalias !54
  %.184.i.i.i = inttoptr i64 %.183.i.i.i to ptr
  %.191.not.i.i.i = icmp eq i64 %.183.i.i.i, 0
  br i1 %.191.not.i.i.i, label %B374.i.i.i, label %B342.i.i.i

B342.i.i.i:                                       ; preds = %B256.i.i.i
  %.194.i.i.i = getelementptr i8, ptr %.184.i.i.i, i64 328
  %.195.i174.i.i = load i64, ptr %.194.i.i.i, align 8, !noalias !54
  %.197.i.i.i = or i64 %.195.i174.i.i, %moved.3.0.lcssa.i.i.i
  br label %B374.i.i.i

B374.i.i.i:                                       ; preds = %B342.i.i.i, %B256.i.i.i
  %.205.i.i.i = phi i64 [ %.197.i.i.i, %B342.i.i.i ], [ %moved.3.0.lcssa.i.i.i, %B256.i.i.i ]
  %.206.i.i.i = icmp eq i64 %.205.i.i.i, 0
  br i1 %.206.i.i.i, label %B386.i180.i.i, label %B424.i.i.i

B386.i180.i.i:                                    ; preds = %B374.i.i.i
  %.211.i.i.i = getelementptr i8, ptr %.17.i, i64 240
  %.212.i.i.i = load i64, ptr %.211.i.i.i, align 8, !noalias !54
  %.213.not.i.i.i = icmp eq i64 %.212.i.i.i, 0
  br i1 %.213.not.i.i.i, label %B424.i.i.i, label %B484.i.i

B424.i.i.i:                                       ; preds = %B386.i180.i.i, %B374.i.i.i
  %.240.i.i.i = getelementptr i8, ptr %.17.i, i64 112
  %.241.i175.i.i = load i64, ptr %.240.i.i.i, align 8, !noalias !54
  %.3217.not.i.i.i = icmp slt i64 %.241.i175.i.i, 1
  br i1 %.3217.not.i.i.i, label %B868.i.i.i, label %B516.preheader.i.i.i

B516.preheader.i.i.i:                             ; preds = %B424.i.i.i
  %.229.i.i.i = getelementptr i8, ptr %.17.i, i64 104
  %.230.i.i.i = load i64, ptr %.229.i.i.i, align 8, !noalias !54
  %.231.i176.i.i = shl nsw i64 %.230.i.i.i, 3
  %.233.i.i.i = add nsw i64 %.231.i176.i.i, %.12.i
  br label %B516.i.i.i

B516.i.i.i:                                       ; preds = %B840.i.i.i, %B516.preheader.i.i.i
  %.33010.in.i.i.i = phi i64 [ %.33010.i.i.i, %B840.i.i.i ], [ %.241.i175.i.i, %B516.preheader.i.i.i ]
  %position.2.09.i.i.i = phi i64 [ %.505.i.i.i, %B840.i.i.i ], [ %.233.i.i.i, %B516.preheader.i.i.i ]
  %.33010.i.i.i = add nsw i64 %.33010.in.i.i.i, -1
  %.360.i.i.i = inttoptr i64 %position.2.09.i.i.i to ptr
  %.367.i.i.i = load i64, ptr %.360.i.i.i, align 8, !noalias !54
  %.33.i.i.i.i = sub i64 0, %.367.i.i.i
  %.37.i.i.i.i = getelementptr i64, ptr %.184.i.i.i, i64 %.33.i.i.i.i
  %.20.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.367.i.i.i
  %.141.i.i.i.i = icmp slt i64 %.367.i.i.i, 0
  %storemerge.in.i.i.i.i = select i1 %.141.i.i.i.i, ptr %.37.i.i.i.i, ptr %.20.i.i.i.i
  %storemerge.i.i.i.i = load i64, ptr %storemerge.in.i.i.i.i, align 8, !noalias !57
  %.396.i.i.i = getelementptr i8, ptr %.360.i.i.i, i64 24
  %.397.i.i.i = load i64, ptr %.396.i.i.i, align 8, !noalias !54
  %.33.i142.i.i.i = sub i64 0, %.397.i.i.i
  %.37.i143.i.i.i = getelementptr i64, ptr %.184.i.i.i, i64 %.33.i142.i.i.i
  %.20.i144.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.397.i.i.i
  %.141.i145.i.i.i = icmp slt i64 %.397.i.i.i, 0
  %storemerge.in.i146.i.i.i = select i1 %.141.i145.i.i.i, ptr %.37.i143.i.i.i, ptr %.20.i144.i.i.i
  %storemerge.i147.i.i.i = load i64, ptr %storemerge.in.i146.i.i.i, align 8, !noalias !60
  %.431.i.i.i = getelementptr i8, ptr %.360.i.i.i, i64 8
  %.432.i.i.i = load i64, ptr %.431.i.i.i, align 8, !noalias !54
  %.434.i.i.i = add nsw i64 %.432.i.i.i, %storemerge.i.i.i.i
  %.436.i.i.i = getelementptr i8, ptr %.360.i.i.i, i64 40
  %.437.i.i.i = load i64, ptr %.436.i.i.i, align 8, !noalias !54
  %.439.i.i.i = add nsw i64 %.437.i.i.i, %storemerge.i147.i.i.i
  %.440.i177.i.i = icmp slt i64 %.434.i.i.i, %.439.i.i.i
  br i1 %.440.i177.i.i, label %B688.i.i.i, label %B840.i.i.i

B688.i.i.i:                                       ; preds = %B516.i.i.i
  %.443.i.i.i = getelementptr i8, ptr %.360.i.i.i, i64 32
  %.444.i.i.i = load i64, ptr %.443.i.i.i, align 8, !noalias !54
  %.446.i.i.i = add nsw i64 %.444.i.i.i, %storemerge.i147.i.i.i
  %.450.i.i.i = getelementptr i8, ptr %.360.i.i.i, i64 16
  %.451.i.i.i = load i64, ptr %.450.i.i.i, align 8, !noalias !54
  %.455.i.i.i = add nsw i64 %.451.i.i.i, %storemerge.i.i.i.i
  %.458.i179.i.i = icmp slt i64 %.446.i.i.i, %.455.i.i.i
  br i1 %.458.i179.i.i, label %B736.i.i.i, label %B840.i.i.i

B736.i.i.i:                                       ; preds = %B688.i.i.i
  %.468.i.i.i = load i64, ptr %.29.i.i.i, align 8, !noalias !54
  %.469.i.i.i = icmp sgt i64 %.468.i.i.i, 0
  br i1 %.469.i.i.i, label %B770.i.i.i, label %B780.i.i.i

B770.i.i.i:                                       ; preds = %B736.i.i.i
  %.472.i.i.i = getelementptr i8, ptr %.21.i168.i.i, i64 8
  store i64 0, ptr %.472.i.i.i, align 8, !noalias !54
  %.481.pre.i.i.i = load i64, ptr %.197.i.i, align 8, !noalias !54
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
  %.527.i15.i.i = getelementptr i8, ptr %.184.i.i.i, i64 328
  store i64 0, ptr %.527.i15.i.i, align 8, !noalias !54
  br label %B484.i.i

overlapping.exit.i.i: ; preds = %B780.i.i.i
  %.527.i.i.i = getelementptr i8, ptr %.184.i.i.i, i64 328
  store i64 1, ptr %.527.i.i.i, align 8, !noalias !54
  br label %common.ret.sink.split.i.i

B484.i.i:                                         ; preds = %overlapping.exit.thread12.i.i, %B868.i.i.i, %B386.i180.i.i
  %.368.i.i = getelementptr i8, ptr %.17.i, i64 256
  %.369.i.i = load i64, ptr %.368.i.i, align 8, !noalias !18
  %.370.i.i = add nsw i64 %.369.i.i, 1
  store i64 %.370.i.i, ptr %.368.i.i, align 8, !noalias !18
  %.375.i.i = getelementptr i8, ptr %.17.i, i64 208
  %.376.i.i = load i64, ptr %.375.i.i, align 8, !noalias !18
  %.381.i.i = getelementptr i8, ptr %.17.i, i64 216
  %.382.i.i = load i64, ptr %.381.i.i, align 8, !noalias !18
  %.46253.not.i.i = icmp slt i64 %.382.i.i, 1
  br i1 %.46253.not.i.i, label %B658.i.i, label %B606.lr.ph.i.i

B606.lr.ph.i.i:                                   ; preds = %B484.i.i
  %15 = getelementptr i64, ptr %.22.i.i, i64 %.376.i.i
  br label %B606.i16.i

B606.i16.i:                                       ; preds = %B606.i16.i, %B606.lr.ph.i.i
  %.406.054.i.i = phi i64 [ 0, %B606.lr.ph.i.i ], [ %.475.i.i, %B606.i16.i ]
  %.475.i.i = add nuw nsw i64 %.406.054.i.i, 1
  %.503.i.i = getelementptr i64, ptr %15, i64 %.406.054.i.i
  %.504.i.i = load i64, ptr %.503.i.i, align 8, !noalias !18
  %.505.i.i = call ptr @Py_IncRef(i64 %.504.i.i), !noalias !18
  %exitcond.not.i.i = icmp eq i64 %.475.i.i, %.382.i.i
  br i1 %exitcond.not.i.i, label %B658.i.i, label %B606.i16.i

B658.i.i:                                         ; preds = %B606.i16.i, %B484.i.i
  br i1 %.203.not.i.i, label %B738.i.i, label %B670.i.i

B670.i.i:                                         ; preds = %B658.i.i
  %.515.i.i = inttoptr i64 %.198.i.i to ptr
  %.516.i.i = getelementptr i8, ptr %.515.i.i, i64 336
  %.517.i.i = load i64, ptr %.516.i.i, align 8, !noalias !18
  %.518.i.i = add nsw i64 %.517.i.i, 1
  store i64 %.518.i.i, ptr %.516.i.i, align 8, !noalias !18
  br label %B738.i.i

B738.i.i:                                         ; preds = %B670.i.i, %B658.i.i
  %.16.i.i183.i.i = getelementptr i8, ptr %.17.i, i64 120
  %.25.i.i.i.i = getelementptr i8, ptr %.17.i, i64 128
  %.26.i.i.i.i = load i64, ptr %.25.i.i.i.i, align 8, !noalias !63
  %.1085.not.i.i.i.i = icmp slt i64 %.26.i.i.i.i, 1
  br i1 %.1085.not.i.i.i.i, label %B70.i.i.i, label %B126.lr.ph.i.i.i.i

B126.lr.ph.i.i.i.i:                               ; preds = %B738.i.i
  %.17.i.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !63
  %.18.i.i.i.i = shl nsw i64 %.17.i.i.i.i, 3
  %.20.i.i184.i.i = add nsw i64 %.18.i.i.i.i, %.12.i
  %.201.i.i.i.i.i = getelementptr i8, ptr %.17.i, i64 288
  %.282.i.i.i.i.i = getelementptr i8, ptr %.17.i, i64 48
  br label %B126.i.i.i.i

B126.i.i.i.i:                                     ; preds = %B436.i.i.i.i, %B126.lr.ph.i.i.i.i
  %.12110.i.i.i.i = phi i64 [ 1, %B126.lr.ph.i.i.i.i ], [ %.121.i.i.i.i, %B436.i.i.i.i ]
  %position.2.08.i.i.i.i = phi i64 [ %.20.i.i184.i.i, %B126.lr.ph.i.i.i.i ], [ %.277.i.i.i.i, %B436.i.i.i.i ]
  %.50.07.i.i.i.i = phi i64 [ 0, %B126.lr.ph.i.i.i.i ], [ %.12110.i.i.i.i, %B436.i.i.i.i ]
  %.150.i.i.i.i = inttoptr i64 %position.2.08.i.i.i.i to ptr
  %.155.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 16
  %.156.i.i.i.i = load i64, ptr %.155.i.i.i.i, align 8, !noalias !63
  %.158.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.156.i.i.i.i
  store i64 0, ptr %.158.i.i.i.i, align 8, !noalias !63
  %.162.i.i.i.i = load i64, ptr %.150.i.i.i.i, align 8, !noalias !63
  %.163.i.i.i.i = icmp eq i64 %.162.i.i.i.i, 0
  br i1 %.163.i.i.i.i, label %B234.i.i.i.i, label %B436.i.i.i.i

B234.i.i.i.i:                                     ; preds = %B126.i.i.i.i
  %.13.i.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 40
  %.14.i.i.i217.i.i = load i64, ptr %.13.i.i.i.i.i, align 8, !noalias !68
  %.19.i.i.i218.i.i = add nsw i64 %position.2.08.i.i.i.i, 72
  %.24.i.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 48
  %.25.i.i.i.i.i = load i64, ptr %.24.i.i.i.i.i, align 8, !noalias !68
  %.26.not.i.i.i.i.i = icmp eq i64 %.25.i.i.i.i.i, 0
  %.29.i.i.i.i.i = shl nsw i64 %.14.i.i.i217.i.i, 3
  %.31.i.i.i.i.i = add nsw i64 %.29.i.i.i.i.i, %.19.i.i.i218.i.i
  %storemerge.i.i.i219.i.i = select i1 %.26.not.i.i.i.i.i, i64 0, i64 %.31.i.i.i.i.i
  %.46.i.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 56
  %.47.i.i.i.i.i = load i64, ptr %.46.i.i.i.i.i, align 8, !noalias !68
  %.52.i.i.i.i.i = inttoptr i64 %.19.i.i.i218.i.i to ptr
  %.1381.not.i.i.i.i.i = icmp slt i64 %.14.i.i.i217.i.i, 1
  br i1 %.1381.not.i.i.i.i.i, label %B254.i.i.i.i.i, label %B228.i.i.i.i.i.preheader

B228.i.i.i.i.i.preheader:                         ; preds = %B234.i.i.i.i
  %xtraiter163 = and i64 %.14.i.i.i217.i.i, 7
  %16 = icmp ult i64 %.14.i.i.i217.i.i, 8
  br i1 %16, label %B228.i.i.i.i.i.epil.preheader, label %B228.i.i.i.i.i.preheader.new

B228.i.i.i.i.i.preheader.new:                     ; preds = %B228.i.i.i.i.i.preheader
  %unroll_iter167 = and i64 %.14.i.i.i217.i.i, 9223372036854775800
  br label %B228.i.i.i.i.i

B228.i.i.i.i.i:                                   ; preds = %B228.i.i.i.i.i, %B228.i.i.i.i.i.preheader.new
  %nbytes.2.04.i.i.i.i.i = phi i64 [ %.47.i.i.i.i.i, %B228.i.i.i.i.i.preheader.new ], [ %.180.i.i.i.i.i.7, %B228.i.i.i.i.i ]
  %.80.02.i.i.i.i.i = phi i64 [ 0, %B228.i.i.i.i.i.preheader.new ], [ %.151.i.i.i.i.i.7, %B228.i.i.i.i.i ]
  %niter168 = phi i64 [ 0, %B228.i.i.i.i.i.preheader.new ], [ %niter168.next.7, %B228.i.i.i.i.i ]
  %.177.i.i.i.i.i = getelementptr i64, ptr %.52.i.i.i.i.i, i64 %.80.02.i.i.i.i.i
  %.178.i.i.i.i.i = load i64, ptr %.177.i.i.i.i.i, align 8, !noalias !68
  %.180.i.i.i.i.i = mul nsw i64 %.178.i.i.i.i.i, %nbytes.2.04.i.i.i.i.i
  %17 = getelementptr i64, ptr %.52.i.i.i.i.i, i64 %.80.02.i.i.i.i.i
  %.177.i.i.i.i.i.1 = getelementptr i8, ptr %17, i64 8
  %.178.i.i.i.i.i.1 = load i64, ptr %.177.i.i.i.i.i.1, align 8, !noalias !68
  %.180.i.i.i.i.i.1 = mul nsw i64 %.178.i.i.i.i.i.1, %.180.i.i.i.i.i
  %18 = getelementptr i64, ptr %.52.i.i.i.i.i, i64 %.80.02.i.i.i.i.i
  %.177.i.i.i.i.i.2 = getelementptr i8, ptr %18, i64 16
  %.178.i.i.i.i.i.2 = load i64, ptr %.177.i.i.i.i.i.2, align 8, !noalias !68
  %.180.i.i.i.i.i.2 = mul nsw i64 %.178.i.i.i.i.i.2, %.180.i.i.i.i.i.1
  %19 = getelementptr i64, ptr %.52.i.i.i.i.i, i64 %.80.02.i.i.i.i.i
  %.177.i.i.i.i.i.3 = getelementptr i8, ptr %19, i64 24
  %.178.i.i.i.i.i.3 = load i64, ptr %.177.i.i.i.i.i.3, align 8, !noalias !68
  %.180.i.i.i.i.i.3 = mul nsw i64 %.178.i.i.i.i.i.3, %.180.i.i.i.i.i.2
  %20 = getelementptr i64, ptr %.52.i.i.i.i.i, i64 %.80.02.i.i.i.i.i
  %.177.i.i.i.i.i.4 = getelementptr i8, ptr %20, i64 32
  %.178.i.i.i.i.i.4 = load i64, ptr %.177.i.i.i.i.i.4, align 8, !noalias !68
  %.180.i.i.i.i.i.4 = mul nsw i64 %.178.i.i.i.i.i.4, %.180.i.i.i.i.i.3
  %21 = getelementptr i64, ptr %.52.i.i.i.i.i, i64 %.80.02.i.i.i.i.i
  %.177.i.i.i.i.i.5 = getelementptr i8, ptr %21, i64 40
  %.178.i.i.i.i.i.5 = load i64, ptr %.177.i.i.i.i.i.5, align 8, !noalias !68
  %.180.i.i.i.i.i.5 = mul nsw i64 %.178.i.i.i.i.i.5, %.180.i.i.i.i.i.4
  %22 = getelementptr i64, ptr %.52.i.i.i.i.i, i64 %.80.02.i.i.i.i.i
  %.177.i.i.i.i.i.6 = getelementptr i8, ptr %22, i64 48
  %.178.i.i.i.i.i.6 = load i64, ptr %.177.i.i.i.i.i.6, align 8, !noalias !68
  %.180.i.i.i.i.i.6 = mul nsw i64 %.178.i.i.i.i.i.6, %.180.i.i.i.i.i.5
  %.151.i.i.i.i.i.7 = add nuw nsw i64 %.80.02.i.i.i.i.i, 8
  %23 = getelementptr i64, ptr %.52.i.i.i.i.i, i64 %.80.02.i.i.i.i.i
  %.177.i.i.i.i.i.7 = getelementptr i8, ptr %23, i64 56
  %.178.i.i.i.i.i.7 = load i64, ptr %.177.i.i.i.i.i.7, align 8, !noalias !68
  %.180.i.i.i.i.i.7 = mul nsw i64 %.178.i.i.i.i.i.7, %.180.i.i.i.i.i.6
  %niter168.next.7 = add i64 %niter168, 8
  %niter168.ncmp.7 = icmp eq i64 %niter168.next.7, %unroll_iter167
  br i1 %niter168.ncmp.7, label %B254.i.i.i.i.i.loopexit.unr-lcssa, label %B228.i.i.i.i.i

B254.i.i.i.i.i.loopexit.unr-lcssa:                ; preds = %B228.i.i.i.i.i
  %lcmp.mod164.not = icmp eq i64 %xtraiter163, 0
  br i1 %lcmp.mod164.not, label %B254.i.i.i.i.i, label %B228.i.i.i.i.i.epil.preheader

B228.i.i.i.i.i.epil.preheader:                    ; preds = %B254.i.i.i.i.i.loopexit.unr-lcssa, %B228.i.i.i.i.i.preheader
  %nbytes.2.04.i.i.i.i.i.epil.init = phi i64 [ %.47.i.i.i.i.i, %B228.i.i.i.i.i.preheader ], [ %.180.i.i.i.i.i.7, %B254.i.i.i.i.i.loopexit.unr-lcssa ]
  %.80.02.i.i.i.i.i.epil.init = phi i64 [ 0, %B228.i.i.i.i.i.preheader ], [ %.151.i.i.i.i.i.7, %B254.i.i.i.i.i.loopexit.unr-lcssa ]
  %lcmp.mod166 = icmp ne i64 %xtraiter163, 0
  call void @llvm.assume(i1 %lcmp.mod166)
  br label %B228.i.i.i.i.i.epil

B228.i.i.i.i.i.epil:                              ; preds = %B228.i.i.i.i.i.epil, %B228.i.i.i.i.i.epil.preheader
  %nbytes.2.04.i.i.i.i.i.epil = phi i64 [ %.180.i.i.i.i.i.epil, %B228.i.i.i.i.i.epil ], [ %nbytes.2.04.i.i.i.i.i.epil.init, %B228.i.i.i.i.i.epil.preheader ]
  %.80.02.i.i.i.i.i.epil = phi i64 [ %.151.i.i.i.i.i.epil, %B228.i.i.i.i.i.epil ], [ %.80.02.i.i.i.i.i.epil.init, %B228.i.i.i.i.i.epil.preheader ]
  %epil.iter = phi i64 [ %epil.iter.next, %B228.i.i.i.i.i.epil ], [ 0, %B228.i.i.i.i.i.epil.preheader ]
  %.151.i.i.i.i.i.epil = add nuw nsw i64 %.80.02.i.i.i.i.i.epil, 1
  %.177.i.i.i.i.i.epil = getelementptr i64, ptr %.52.i.i.i.i.i, i64 %.80.02.i.i.i.i.i.epil
  %.178.i.i.i.i.i.epil = load i64, ptr %.177.i.i.i.i.i.epil, align 8, !noalias !68
  %.180.i.i.i.i.i.epil = mul nsw i64 %.178.i.i.i.i.i.epil, %nbytes.2.04.i.i.i.i.i.epil
  %epil.iter.next = add i64 %epil.iter, 1
  %epil.iter.cmp.not = icmp eq i64 %epil.iter.next, %xtraiter163
  br i1 %epil.iter.cmp.not, label %B254.i.i.i.i.i, label %B228.i.i.i.i.i.epil, !llvm.loop !71

B254.i.i.i.i.i:                                   ; preds = %B254.i.i.i.i.i.loopexit.unr-lcssa, %B228.i.i.i.i.i.epil, %B234.i.i.i.i
  %nbytes.2.0.lcssa.i.i.i.i.i = phi i64 [ %.47.i.i.i.i.i, %B234.i.i.i.i ], [ %.180.i.i.i.i.i.7, %B254.i.i.i.i.i.loopexit.unr-lcssa ], [ %.180.i.i.i.i.i.epil, %B228.i.i.i.i.i.epil ]
  %.194.i.i.i.i.i = icmp sgt i64 %nbytes.2.0.lcssa.i.i.i.i.i, 1048575
  br i1 %.194.i.i.i.i.i, label %B280.i.i.i.i.i, label %B468.i.i.i.i.i

B280.i.i.i.i.i:                                   ; preds = %B254.i.i.i.i.i
  %.202.i.i.i.i.i = load i64, ptr %.201.i.i.i.i.i, align 8, !noalias !68
  %.203.i.i.i.i.i = inttoptr i64 %.202.i.i.i.i.i to ptr
  %.208.i.i.i.i.i = getelementptr i8, ptr %.203.i.i.i.i.i, i64 56
  %.209.i.i.i.i.i = load i64, ptr %.208.i.i.i.i.i, align 8, !noalias !68
  %.210.i.i.i224.i.i = call i64 @guardlift_set_memory_handler(i64 %.209.i.i.i.i.i), !noalias !68
  %.215.i.i.i.i.i = icmp eq i64 %.210.i.i.i224.i.i, 0
  br i1 %.215.i.i.i.i.i, label %B278.i.i.i.i, label %B400.i.i.i.i.i

B400.i.i.i.i.i:                                   ; preds = %B280.i.i.i.i.i
  %.237.i.i.i.i.i = getelementptr i8, ptr %.203.i.i.i.i.i, i64 64
  %.238.i.i.i.i.i = load i64, ptr %.237.i.i.i.i.i, align 8, !noalias !68
  %.242.not.i.i.i.i.i = icmp eq i64 %.210.i.i.i224.i.i, %.238.i.i.i.i.i
  br i1 %.242.not.i.i.i.i.i, label %B468.i.i.i.i.i, label %B434.i.i.i.i.i

B434.i.i.i.i.i:                                   ; preds = %B400.i.i.i.i.i
  %.8.i.i.i.i.i.i = call i64 @guardlift_set_memory_handler(i64 range(i64 1, 0) %.210.i.i.i224.i.i), !noalias !73
  %.13.not.i.i.i.i.i.i = icmp eq i64 %.8.i.i.i.i.i.i, 0
  br i1 %.13.not.i.i.i.i.i.i, label %B78.i.i.i.i.i.i, label %B46.i.i.i.i.i.i

B46.i.i.i.i.i.i:                                  ; preds = %B434.i.i.i.i.i
  %.16.i.i.i.i225.i.i = call ptr @Py_DecRef(i64 %.8.i.i.i.i.i.i), !noalias !73
  br label %handler_restored.exit.i.i.i.i.i

B78.i.i.i.i.i.i:                                  ; preds = %B434.i.i.i.i.i
  %.22.i.i.i.i.i.i = call ptr @PyErr_Clear(), !noalias !73
  br label %handler_restored.exit.i.i.i.i.i

handler_restored.exit.i.i.i.i.i: ; preds = %B78.i.i.i.i.i.i, %B46.i.i.i.i.i.i
  %.25.i.i.i.i.i.i = call ptr @Py_DecRef(i64 range(i64 1, 0) %.210.i.i.i224.i.i), !noalias !73
  br label %B468.i.i.i.i.i

B468.i.i.i.i.i:                                   ; preds = %handler_restored.exit.i.i.i.i.i, %B400.i.i.i.i.i, %B254.i.i.i.i.i
  %before.3.0.i.i.i.i.i = phi i64 [ %.210.i.i.i224.i.i, %B400.i.i.i.i.i ], [ 0, %handler_restored.exit.i.i.i.i.i ], [ 0, %B254.i.i.i.i.i ]
  %.278.i.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 32
  %.279.i.i.i.i.i = load i64, ptr %.278.i.i.i.i.i, align 8, !noalias !68
  %.280.i.i.i.i.i = call ptr @Py_IncRef(i64 %.279.i.i.i.i.i), !noalias !68
  %.283.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i, align 8, !noalias !68
  %.288.i.i.i.i.i = load i64, ptr %.278.i.i.i.i.i, align 8, !noalias !68
  %.292.i.i.i.i.i = trunc i64 %.14.i.i.i217.i.i to i32
  %.296.i.i.i.i.i = call i64 @guardlift_array_new(i64 %.283.i.i.i.i.i, i64 %.288.i.i.i.i.i, i32 %.292.i.i.i.i.i, i64 %.19.i.i.i218.i.i, i64 %storemerge.i.i.i219.i.i, i64 0, i32 0, i64 0), !noalias !68
  %.307.not.i.i.i.i.i = icmp eq i64 %before.3.0.i.i.i.i.i, 0
  br i1 %.307.not.i.i.i.i.i, label %fresh_array.exit.i.i.i.i, label %B620.i.i.i220.i.i

B620.i.i.i220.i.i:                                ; preds = %B468.i.i.i.i.i
  %.8.i75.i.i.i.i.i = call i64 @guardlift_set_memory_handler(i64 range(i64 1, 0) %before.3.0.i.i.i.i.i), !noalias !76
  %.13.not.i76.i.i.i.i.i = icmp eq i64 %.8.i75.i.i.i.i.i, 0
  br i1 %.13.not.i76.i.i.i.i.i, label %B78.i80.i.i.i.i.i, label %B46.i77.i.i.i.i.i

B46.i77.i.i.i.i.i:                                ; preds = %B620.i.i.i220.i.i
  %.16.i78.i.i.i.i.i = call ptr @Py_DecRef(i64 %.8.i75.i.i.i.i.i), !noalias !76
  br label %handler_restored.exit82.i.i.i.i.i

B78.i80.i.i.i.i.i:                                ; preds = %B620.i.i.i220.i.i
  %.22.i81.i.i.i.i.i = call ptr @PyErr_Clear(), !noalias !76
  br label %handler_restored.exit82.i.i.i.i.i

handler_restored.exit82.i.i.i.i.i: ; preds = %B78.i80.i.i.i.i.i, %B46.i77.i.i.i.i.i
  %.25.i79.i.i.i.i.i = call ptr @Py_DecRef(i64 range(i64 1, 0) %before.3.0.i.i.i.i.i), !noalias !76
  br label %fresh_array.exit.i.i.i.i

fresh_array.exit.i.i.i.i: ; preds = %handler_restored.exit82.i.i.i.i.i, %B468.i.i.i.i.i
  %.196.i.i.i.i = icmp eq i64 %.296.i.i.i.i.i, 0
  br i1 %.196.i.i.i.i, label %B278.i.i.i.i, label %B318.i.i221.i.i

B278.i.i.i.i:                                     ; preds = %fresh_array.exit.i.i.i.i, %B280.i.i.i.i.i
  %.981.not.i.i.i.i.i = icmp slt i64 %.50.07.i.i.i.i, 1
  br i1 %.981.not.i.i.i.i.i, label %executed.exit.i.i, label %B104.preheader.i.i.i.i.i

B104.preheader.i.i.i.i.i:                         ; preds = %B278.i.i.i.i
  %.11.i.i.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !79
  %.12.i.i.i.i.i = shl nsw i64 %.11.i.i.i.i.i, 3
  %.13.i74.i.i.i.i = add nsw i64 %.12.i.i.i.i.i, %.12.i
  br label %B104.i.i.i.i.i

B104.i.i.i.i.i:                                   ; preds = %B216.i.i.i.i.i, %B104.preheader.i.i.i.i.i
  %.1074.in.i.i.i.i.i = phi i64 [ %.1074.i.i.i.i.i, %B216.i.i.i.i.i ], [ %.50.07.i.i.i.i, %B104.preheader.i.i.i.i.i ]
  %position.2.03.i.i.i.i.i = phi i64 [ %.167.i.i.i.i.i, %B216.i.i.i.i.i ], [ %.13.i74.i.i.i.i, %B104.preheader.i.i.i.i.i ]
  %.1074.i.i.i.i.i = add nsw i64 %.1074.in.i.i.i.i.i, -1
  %.137.i.i.i.i.i = inttoptr i64 %position.2.03.i.i.i.i.i to ptr
  %.142.i.i.i.i.i = getelementptr i8, ptr %.137.i.i.i.i.i, i64 16
  %.143.i.i.i.i.i = load i64, ptr %.142.i.i.i.i.i, align 8, !noalias !79
  %.145.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i.i.i.i
  %.146.i.i.i.i.i = load i64, ptr %.145.i.i.i.i.i, align 8, !noalias !79
  %.151.not.i.i.i.i.i = icmp eq i64 %.146.i.i.i.i.i, 0
  br i1 %.151.not.i.i.i.i.i, label %B216.i.i.i.i.i, label %B186.i.i.i.i.i

B186.i.i.i.i.i:                                   ; preds = %B104.i.i.i.i.i
  %.154.i.i.i.i.i = call ptr @Py_DecRef(i64 %.146.i.i.i.i.i), !noalias !79
  br label %B216.i.i.i.i.i

B216.i.i.i.i.i:                                   ; preds = %B186.i.i.i.i.i, %B104.i.i.i.i.i
  %.161.i.i.i.i.i = getelementptr i8, ptr %.137.i.i.i.i.i, i64 8
  %.162.i.i.i223.i.i = load i64, ptr %.161.i.i.i.i.i, align 8, !noalias !79
  %.165.i.i.i.i.i = shl nsw i64 %.162.i.i.i223.i.i, 3
  %.167.i.i.i.i.i = add nsw i64 %.165.i.i.i.i.i, %position.2.03.i.i.i.i.i
  %.98.i.i.i.i.i = icmp samesign ugt i64 %.1074.in.i.i.i.i.i, 1
  br i1 %.98.i.i.i.i.i, label %B104.i.i.i.i.i, label %executed.exit.i.i

B318.i.i221.i.i:                                  ; preds = %fresh_array.exit.i.i.i.i
  %.249.i.i.i.i = load i64, ptr %.155.i.i.i.i, align 8, !noalias !63
  %.252.i.i222.i.i = getelementptr i64, ptr %.22.i.i, i64 %.249.i.i.i.i
  store i64 %.296.i.i.i.i.i, ptr %.252.i.i222.i.i, align 8, !noalias !63
  %.255.i.i.i.i = add nsw i64 %.296.i.i.i.i.i, 16
  %.258.i.i.i.i = inttoptr i64 %.255.i.i.i.i to ptr
  %.260.i.i.i.i = load i64, ptr %.258.i.i.i.i, align 8, !noalias !63
  %.262.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 24
  %.263.i.i.i.i = load i64, ptr %.262.i.i.i.i, align 8, !noalias !63
  %.265.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.263.i.i.i.i
  store i64 %.260.i.i.i.i, ptr %.265.i.i.i.i, align 8, !noalias !63
  br label %B436.i.i.i.i

B436.i.i.i.i:                                     ; preds = %B318.i.i221.i.i, %B126.i.i.i.i
  %.271.i.i.i.i = getelementptr i8, ptr %.150.i.i.i.i, i64 8
  %.272.i.i.i.i = load i64, ptr %.271.i.i.i.i, align 8, !noalias !63
  %.275.i.i.i.i = shl nsw i64 %.272.i.i.i.i, 3
  %.277.i.i.i.i = add nsw i64 %.275.i.i.i.i, %position.2.08.i.i.i.i
  %.121.i.i.i.i = add nuw i64 %.12110.i.i.i.i, 1
  %exitcond.not.i.i.i.i = icmp eq i64 %.12110.i.i.i.i, %.26.i.i.i.i
  br i1 %exitcond.not.i.i.i.i, label %B70.i.i.i, label %B126.i.i.i.i

B70.i.i.i:                                        ; preds = %B436.i.i.i.i, %B738.i.i
  %.73.i.i.i = getelementptr i8, ptr %.17.i, i64 72
  %.74.i.i.i = load i64, ptr %.73.i.i.i, align 8, !noalias !82
  %.75.not.i.i.i = icmp eq i64 %.74.i.i.i, 0
  br i1 %.75.not.i.i.i, label %B138.i.i.i, label %B108.i.i.i

B108.i.i.i:                                       ; preds = %B70.i.i.i
  %.81.i.i.i = call i64 @PyEval_SaveThread(), !noalias !82
  br label %B138.i.i.i

B138.i.i.i:                                       ; preds = %B108.i.i.i, %B70.i.i.i
  %storemerge.i185.i.i = phi i64 [ %.81.i.i.i, %B108.i.i.i ], [ 0, %B70.i.i.i ]
  %.23.i.i.i.i = load i64, ptr %.197.i.i, align 8, !noalias !83
  %.24.i.i.i.i = inttoptr i64 %.23.i.i.i.i to ptr
  %.5115.i.i.i.i = getelementptr i8, ptr %.17.i, i64 144
  %.5216.i.i.i.i = load i64, ptr %.5115.i.i.i.i, align 8, !noalias !83
  %.5418.i.i.i.i = icmp sgt i64 %.5216.i.i.i.i, 0
  br i1 %.5418.i.i.i.i, label %B190.preheader.preheader.i.i.i.i, label %run_steps.exit.i.i.i

B190.preheader.preheader.i.i.i.i:                 ; preds = %B138.i.i.i
  %.29.i.i.i.i = getelementptr i8, ptr %.17.i, i64 136
  %.30.i.i.i.i = load i64, ptr %.29.i.i.i.i, align 8, !noalias !83
  %.31.i.i193.i.i = shl nsw i64 %.30.i.i.i.i, 3
  %.32.i.i194.i.i = add nsw i64 %.31.i.i193.i.i, %.12.i
  %.16.i11.i.i.i = getelementptr i8, ptr %.17.i, i64 88
  %.17.i12.i.i.i = load i64, ptr %.16.i11.i.i.i, align 8, !noalias !83
  %24 = getelementptr i64, ptr %.22.i.i, i64 %.17.i12.i.i.i
  %.580.i.i.i.i = shl nsw i64 %.17.i12.i.i.i, 3
  %.582.i.i.i.i = add nsw i64 %.580.i.i.i.i, %frame_address.0.i
  %.245.i.i.i.i = getelementptr i8, ptr %.17.i, i64 272
  %.17.i.i121.i.i.i.i = inttoptr i64 %.582.i.i.i.i to ptr
  %.14.i.i13.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 24
  %.18.i59.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 32
  %.25.i62.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 64
  %.29.i.i14.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 72
  %.42.i70.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 80
  %.44.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 104
  %.48.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 112
  %.50.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 88
  %.52.i.i15.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 96
  %.142.i.i94.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 48
  %.152.i.i96.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 120
  %.155.i.i97.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 56
  %.203.i.i84.i.i.i.i = getelementptr inbounds nuw i8, ptr %.9.i54.i.i.i.i, i64 16
  %.10.i.i.i.i.i = ptrtoint ptr %.9.i54.i.i.i.i to i64
  %.9.i.i.i.i.i = ptrtoint ptr %.8.i.i.i.i.i to i64
  %.13.i.i16.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 24
  %.15.i.i.i195.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 32
  %.17.i53.i.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 40
  %.19.i.i17.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 64
  %.23.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 104
  %.27.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 112
  %.30.i.i.i.i.i = or disjoint i64 %.9.i.i.i.i.i, 8
  %.142.i.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 48
  %.152.i.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 120
  %.155.i.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 56
  %.203.i.i.i.i.i.i = getelementptr inbounds nuw i8, ptr %.8.i.i.i.i.i, i64 16
  %25 = shl i64 %.17.i12.i.i.i, 3
  %26 = add i64 %frame_address.0.i, %25
  %27 = add i64 %26, -72
  br label %B190.i.i.i.i

B190.i.i.i.i:                                     ; preds = %B190.i.i.i.i.backedge, %B190.preheader.preheader.i.i.i.i
  %.5287.i.i.i.i = phi i64 [ %.5216.i.i.i.i, %B190.preheader.preheader.i.i.i.i ], [ %.5287.i.i.i.i.be, %B190.i.i.i.i.backedge ]
  %position.4.0.i.i.i.i = phi i64 [ %.32.i.i194.i.i, %B190.preheader.preheader.i.i.i.i ], [ %position.4.0.i.i.i.i.be, %B190.i.i.i.i.backedge ]
  %number.6.0.i.i.i.i = phi i64 [ 0, %B190.preheader.preheader.i.i.i.i ], [ %number.6.0.i.i.i.i.be, %B190.i.i.i.i.backedge ]
  %.62.i.i.i.i = inttoptr i64 %position.4.0.i.i.i.i to ptr
  %.67.i.i.i.i = add nsw i64 %number.6.0.i.i.i.i, 1
  %.75.i.i.i.i = load i64, ptr %.62.i.i.i.i, align 8, !noalias !83
  switch i64 %.75.i.i.i.i, label %B1600.i.i.i.i [
    i64 0, label %B274.i.i.i.i
    i64 5, label %B768.i.i.i.i
    i64 10, label %B1068.i.i.i.i
    i64 11, label %B1150.i.i.i.i
    i64 12, label %B1296.i.i.i.i
    i64 13, label %B1450.i.i.i.i
  ]

B274.i.i.i.i:                                     ; preds = %B190.i.i.i.i
  %.17.i.i.i202.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.18.i.i.i203.i.i = load i64, ptr %.17.i.i.i202.i.i, align 8, !noalias !86
  %.1001.not.i.i.i.i.i = icmp slt i64 %.18.i.i.i203.i.i, 1
  br i1 %.1001.not.i.i.i.i.i, label %lay_out.exit.i.i.i.i, label %B58.i.i.i.i.i.preheader

B58.i.i.i.i.i.preheader:                          ; preds = %B274.i.i.i.i
  %xtraiter194 = and i64 %.18.i.i.i203.i.i, 1
  %28 = icmp eq i64 %.18.i.i.i203.i.i, 1
  br i1 %28, label %B58.i.i.i.i.i.epil.preheader, label %B58.i.i.i.i.i.preheader.new

B58.i.i.i.i.i.preheader.new:                      ; preds = %B58.i.i.i.i.i.preheader
  %unroll_iter198 = and i64 %.18.i.i.i203.i.i, 9223372036854775806
  br label %B58.i.i.i.i.i

B58.i.i.i.i.i:                                    ; preds = %B58.i.i.i.i.i, %B58.i.i.i.i.i.preheader.new
  %.42.02.i.i.i.i.i = phi i64 [ 0, %B58.i.i.i.i.i.preheader.new ], [ %.113.i.i.i.i.i.1, %B58.i.i.i.i.i ]
  %niter199 = phi i64 [ 0, %B58.i.i.i.i.i.preheader.new ], [ %niter199.next.1, %B58.i.i.i.i.i ]
  %.113.i.i.i.i.i = or disjoint i64 %.42.02.i.i.i.i.i, 1
  %.idx.i.i.i.i.i = shl i64 %.42.02.i.i.i.i.i, 4
  %29 = getelementptr i8, ptr %.62.i.i.i.i, i64 %.idx.i.i.i.i.i
  %.142.i.i29.i.i.i = getelementptr i8, ptr %29, i64 72
  %.143.i.i30.i.i.i = load i64, ptr %.142.i.i29.i.i.i, align 8, !noalias !86
  %.33.i.i.i.i.i.i = sub i64 0, %.143.i.i30.i.i.i
  %.37.i.i.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i.i.i.i.i
  %.20.i.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i30.i.i.i
  %.141.i.i.i.i.i.i = icmp slt i64 %.143.i.i30.i.i.i, 0
  %storemerge.in.i.i.i.i.i.i = select i1 %.141.i.i.i.i.i.i, ptr %.37.i.i.i.i.i.i, ptr %.20.i.i.i.i.i.i
  %storemerge.i.i.i.i.i.i = load i64, ptr %storemerge.in.i.i.i.i.i.i, align 8, !noalias !89
  %.172.i.i.i.i.i = getelementptr i8, ptr %29, i64 80
  %.173.i.i.i204.i.i = load i64, ptr %.172.i.i.i.i.i, align 8, !noalias !86
  %.174.i.i.i.i.i = add nsw i64 %.173.i.i.i204.i.i, %storemerge.i.i.i.i.i.i
  %.178.i.i31.i.i.i = getelementptr i64, ptr %24, i64 %.42.02.i.i.i.i.i
  store i64 %.174.i.i.i.i.i, ptr %.178.i.i31.i.i.i, align 8, !noalias !86
  %.113.i.i.i.i.i.1 = add nuw nsw i64 %.42.02.i.i.i.i.i, 2
  %.idx.i.i.i.i.i.1 = shl i64 %.113.i.i.i.i.i, 4
  %30 = getelementptr i8, ptr %.62.i.i.i.i, i64 %.idx.i.i.i.i.i.1
  %.142.i.i29.i.i.i.1 = getelementptr i8, ptr %30, i64 72
  %.143.i.i30.i.i.i.1 = load i64, ptr %.142.i.i29.i.i.i.1, align 8, !noalias !86
  %.33.i.i.i.i.i.i.1 = sub i64 0, %.143.i.i30.i.i.i.1
  %.37.i.i.i.i.i.i.1 = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i.i.i.i.i.1
  %.20.i.i.i.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i30.i.i.i.1
  %.141.i.i.i.i.i.i.1 = icmp slt i64 %.143.i.i30.i.i.i.1, 0
  %storemerge.in.i.i.i.i.i.i.1 = select i1 %.141.i.i.i.i.i.i.1, ptr %.37.i.i.i.i.i.i.1, ptr %.20.i.i.i.i.i.i.1
  %storemerge.i.i.i.i.i.i.1 = load i64, ptr %storemerge.in.i.i.i.i.i.i.1, align 8, !noalias !89
  %.172.i.i.i.i.i.1 = getelementptr i8, ptr %30, i64 80
  %.173.i.i.i204.i.i.1 = load i64, ptr %.172.i.i.i.i.i.1, align 8, !noalias !86
  %.174.i.i.i.i.i.1 = add nsw i64 %.173.i.i.i204.i.i.1, %storemerge.i.i.i.i.i.i.1
  %.178.i.i31.i.i.i.1 = getelementptr i64, ptr %24, i64 %.113.i.i.i.i.i
  store i64 %.174.i.i.i.i.i.1, ptr %.178.i.i31.i.i.i.1, align 8, !noalias !86
  %niter199.next.1 = add i64 %niter199, 2
  %niter199.ncmp.1 = icmp eq i64 %niter199.next.1, %unroll_iter198
  br i1 %niter199.ncmp.1, label %lay_out.exit.loopexit.i.i.i.i.unr-lcssa, label %B58.i.i.i.i.i

lay_out.exit.loopexit.i.i.i.i.unr-lcssa: ; preds = %B58.i.i.i.i.i
  %lcmp.mod196.not = icmp eq i64 %xtraiter194, 0
  br i1 %lcmp.mod196.not, label %lay_out.exit.loopexit.i.i.i.i, label %B58.i.i.i.i.i.epil.preheader

B58.i.i.i.i.i.epil.preheader:                     ; preds = %lay_out.exit.loopexit.i.i.i.i.unr-lcssa, %B58.i.i.i.i.i.preheader
  %.42.02.i.i.i.i.i.epil.init = phi i64 [ 0, %B58.i.i.i.i.i.preheader ], [ %.113.i.i.i.i.i.1, %lay_out.exit.loopexit.i.i.i.i.unr-lcssa ]
  %lcmp.mod197 = icmp ne i64 %xtraiter194, 0
  call void @llvm.assume(i1 %lcmp.mod197)
  %.idx.i.i.i.i.i.epil = shl i64 %.42.02.i.i.i.i.i.epil.init, 4
  %31 = getelementptr i8, ptr %.62.i.i.i.i, i64 %.idx.i.i.i.i.i.epil
  %.142.i.i29.i.i.i.epil = getelementptr i8, ptr %31, i64 72
  %.143.i.i30.i.i.i.epil = load i64, ptr %.142.i.i29.i.i.i.epil, align 8, !noalias !86
  %.33.i.i.i.i.i.i.epil = sub i64 0, %.143.i.i30.i.i.i.epil
  %.37.i.i.i.i.i.i.epil = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i.i.i.i.i.epil
  %.20.i.i.i.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i30.i.i.i.epil
  %.141.i.i.i.i.i.i.epil = icmp slt i64 %.143.i.i30.i.i.i.epil, 0
  %storemerge.in.i.i.i.i.i.i.epil = select i1 %.141.i.i.i.i.i.i.epil, ptr %.37.i.i.i.i.i.i.epil, ptr %.20.i.i.i.i.i.i.epil
  %storemerge.i.i.i.i.i.i.epil = load i64, ptr %storemerge.in.i.i.i.i.i.i.epil, align 8, !noalias !89
  %.172.i.i.i.i.i.epil = getelementptr i8, ptr %31, i64 80
  %.173.i.i.i204.i.i.epil = load i64, ptr %.172.i.i.i.i.i.epil, align 8, !noalias !86
  %.174.i.i.i.i.i.epil = add nsw i64 %.173.i.i.i204.i.i.epil, %storemerge.i.i.i.i.i.i.epil
  %.178.i.i31.i.i.i.epil = getelementptr i64, ptr %24, i64 %.42.02.i.i.i.i.i.epil.init
  store i64 %.174.i.i.i.i.i.epil, ptr %.178.i.i31.i.i.i.epil, align 8, !noalias !86
  br label %lay_out.exit.loopexit.i.i.i.i

lay_out.exit.loopexit.i.i.i.i: ; preds = %lay_out.exit.loopexit.i.i.i.i.unr-lcssa, %B58.i.i.i.i.i.epil.preheader
  %.111.pre.i.i.i.i = load i64, ptr %.17.i.i.i202.i.i, align 8, !noalias !83
  br label %lay_out.exit.i.i.i.i

lay_out.exit.i.i.i.i: ; preds = %lay_out.exit.loopexit.i.i.i.i, %B274.i.i.i.i
  %.111.i.i.i.i = phi i64 [ %.111.pre.i.i.i.i, %lay_out.exit.loopexit.i.i.i.i ], [ %.18.i.i.i203.i.i, %B274.i.i.i.i ]
  %.112.i.i.i.i = shl i64 %.111.i.i.i.i, 4
  %.114.i.i205.i.i = add i64 %position.4.0.i.i.i.i, 72
  %.116.i.i.i.i = add i64 %.114.i.i205.i.i, %.112.i.i.i.i
  %.136.i.i.i.i = getelementptr i64, ptr %24, i64 %.111.i.i.i.i
  store i64 %frame_address.0.i, ptr %.136.i.i.i.i, align 8, !noalias !83
  %.139.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 40
  %.140.i.i.i.i = load i64, ptr %.139.i.i.i.i, align 8, !noalias !83
  %.141.i.i206.i.i = icmp sgt i64 %.140.i.i.i.i, 0
  br i1 %.141.i.i206.i.i, label %B480.i.i.i.i, label %B622.i.i.i.i

B480.i.i.i.i:                                     ; preds = %lay_out.exit.i.i.i.i
  %.145.i.i.i.i = load i64, ptr %.245.i.i.i.i, align 8, !noalias !83
  %.146.i.i207.i.i = inttoptr i64 %.145.i.i.i.i to ptr
  %.147.i.i.i.i = getelementptr i8, ptr %.146.i.i207.i.i, i64 8
  %.148.i.i.i.i = load i64, ptr %.147.i.i.i.i, align 8, !noalias !83
  %.149.i.i208.i.i = icmp sgt i64 %.148.i.i.i.i, 1
  br i1 %.149.i.i208.i.i, label %B562.i.i.i.i, label %B622.i.i.i.i

B562.i.i.i.i:                                     ; preds = %B480.i.i.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %.8.i.i.i.i.i), !noalias !83
  call void @llvm.lifetime.start.p0(ptr nonnull %.70.i.i.i.i.i), !noalias !83
  %.11.i.i33.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.12.i.i34.i.i.i = load i64, ptr %.11.i.i33.i.i.i, align 8, !noalias !92
  store i64 %.12.i.i34.i.i.i, ptr %.13.i.i16.i.i.i, align 8, !noalias !92
  store i64 %.116.i.i.i.i, ptr %.15.i.i.i195.i.i, align 32, !noalias !92
  store i64 %.582.i.i.i.i, ptr %.17.i53.i.i.i.i, align 8, !noalias !92
  store i64 0, ptr %.19.i.i17.i.i.i, align 64, !noalias !92
  %.21.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 56
  %.22.i.i.i.i.i = load i64, ptr %.21.i.i.i.i.i, align 8, !noalias !92
  store i64 %.22.i.i.i.i.i, ptr %.23.i.i.i.i.i, align 8, !noalias !92
  %.25.i.i35.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 64
  %.26.i.i.i.i.i = load i64, ptr %.25.i.i35.i.i.i, align 8, !noalias !92
  store i64 %.26.i.i.i.i.i, ptr %.27.i.i.i.i.i, align 16, !noalias !92
  %.33.i.i.i.i.i = load i64, ptr %.17.i.i.i202.i.i, align 8, !noalias !92
  %.34.i.i.i.i.i = getelementptr i64, ptr %.17.i.i121.i.i.i.i, i64 %.33.i.i.i.i.i
  store i64 %.30.i.i.i.i.i, ptr %.34.i.i.i.i.i, align 8, !noalias !92
  %.37.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.38.i.i.i.i.i = load i64, ptr %.37.i.i.i.i.i, align 8, !noalias !92
  %.40.i.i.i.i.i = load i64, ptr %.139.i.i.i.i, align 8, !noalias !92
  %.41.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 48
  %.42.i.i.i.i.i = load i64, ptr %.41.i.i.i.i.i, align 8, !noalias !92
  %.19.i.i.i.i209.i.i = load i64, ptr %.147.i.i.i.i, align 8, !noalias !95
  %.25.i.i.i36.i.i.i = add i64 %.38.i.i.i.i.i, -1
  %.26.i.i.i.i210.i.i = add i64 %.25.i.i.i36.i.i.i, %.40.i.i.i.i.i
  %.30.i.i.i.i211.i.i = icmp eq i64 %.40.i.i.i.i.i, 0
  br i1 %.30.i.i.i.i211.i.i, label %B0.endif.i.i.i.i.i.i, label %B0.else.i.i.i.i.i.i, !prof !98

B94.i.i.i.i.i.i:                                  ; preds = %B0.endif.i.i.i.i.i.i
  %.85.i.i.i.i.i.i = add i64 %.19.i.i.i.i209.i.i, -1
  %.88.i.i.i.i.i.i = add i64 %.85.i.i.i.i.i.i, %storemerge1.i.i.i.i.i.i
  %.92.i.i.i.i.i.i = icmp eq i64 %.19.i.i.i.i209.i.i, 0
  br i1 %.92.i.i.i.i.i.i, label %B94.endif.i.i.i.i.i.i, label %B94.else.i.i.i.i.i.i, !prof !98

B120.i.i.i.i.i.i:                                 ; preds = %B94.endif.i.i.i.i.i.i, %B0.endif.i.i.i.i.i.i
  %.161.pre-phi.i.i.i.i.i.i = phi i64 [ %.26.i.i.i.i210.i.i, %B0.endif.i.i.i.i.i.i ], [ %.pre.i.i.i.i.i.i, %B94.endif.i.i.i.i.i.i ]
  %storemerge4.i.i.i.i.i.i = phi i64 [ %.40.i.i.i.i.i, %B0.endif.i.i.i.i.i.i ], [ %storemerge3.i.i.i.i.i.i, %B94.endif.i.i.i.i.i.i ]
  store i64 %.38.i.i.i.i.i, ptr %.142.i.i.i.i.i.i, align 16, !noalias !95
  %.146.i.i.i.i.i.i = mul nsw i64 %.19.i.i.i.i209.i.i, %.42.i.i.i.i.i
  store i64 %.146.i.i.i.i.i.i, ptr %.152.i.i.i.i.i.i, align 8, !noalias !95
  store i64 %storemerge4.i.i.i.i.i.i, ptr %.155.i.i.i.i.i.i, align 8, !noalias !95
  %.164.i.i.i.i.i.i = icmp eq i64 %storemerge4.i.i.i.i.i.i, 0
  br i1 %.164.i.i.i.i.i.i, label %share_kernel.exit.i.i.i.i, label %B120.else.i.i.i.i.i.i, !prof !98

B0.else.i.i.i.i.i.i:                              ; preds = %B562.i.i.i.i
  %.41.i.i.i.i212.i.i = icmp ne i64 %.26.i.i.i.i210.i.i, -9223372036854775808
  %.42.i.i.i.i.i.i = icmp ne i64 %.40.i.i.i.i.i, -1
  %.43.not.i.i.i.i.i.i = or i1 %.42.i.i.i.i.i.i, %.41.i.i.i.i212.i.i
  br i1 %.43.not.i.i.i.i.i.i, label %B0.else.if.i.i.i.i.i.i, label %B0.endif.i.i.i.i.i.i, !prof !99

B0.endif.i.i.i.i.i.i:                             ; preds = %B0.else.if.i.i.i.i.i.i, %B0.else.i.i.i.i.i.i, %B562.i.i.i.i
  %storemerge1.i.i.i.i.i.i = phi i64 [ 0, %B562.i.i.i.i ], [ %spec.select.i.i.i.i.i.i, %B0.else.if.i.i.i.i.i.i ], [ 0, %B0.else.i.i.i.i.i.i ]
  %.72.i.i.i.i.i.i = icmp sgt i64 %.42.i.i.i.i.i, 1
  br i1 %.72.i.i.i.i.i.i, label %B120.i.i.i.i.i.i, label %B94.i.i.i.i.i.i

B0.else.if.i.i.i.i.i.i:                           ; preds = %B0.else.i.i.i.i.i.i
  %.46.i.i.i.i.i.i = sdiv i64 %.26.i.i.i.i210.i.i, %.40.i.i.i.i.i
  %.47.i.i.i.i.i.i = srem i64 %.26.i.i.i.i210.i.i, %.40.i.i.i.i.i
  %.48.i.i.i.i.i.i = xor i64 %.47.i.i.i.i.i.i, %.40.i.i.i.i.i
  %.49.i.i.i.i.i.i = icmp slt i64 %.48.i.i.i.i.i.i, 0
  %.50.i.i.i.i.i.i = icmp ne i64 %.47.i.i.i.i.i.i, 0
  %.51.i.i.i.i.i.i = and i1 %.50.i.i.i.i.i.i, %.49.i.i.i.i.i.i
  %.56.i.i.i.i.i.i = sext i1 %.51.i.i.i.i.i.i to i64
  %spec.select.i.i.i.i.i.i = add i64 %.46.i.i.i.i.i.i, %.56.i.i.i.i.i.i
  br label %B0.endif.i.i.i.i.i.i

B94.else.i.i.i.i.i.i:                             ; preds = %B94.i.i.i.i.i.i
  %.103.i.i.i.i.i.i = icmp ne i64 %.88.i.i.i.i.i.i, -9223372036854775808
  %.104.i.i.i.i.i.i = icmp ne i64 %.19.i.i.i.i209.i.i, -1
  %.105.not.i.i.i.i.i.i = or i1 %.104.i.i.i.i.i.i, %.103.i.i.i.i.i.i
  br i1 %.105.not.i.i.i.i.i.i, label %B94.else.if.i.i.i.i.i.i, label %B94.endif.i.i.i.i.i.i, !prof !99

B94.endif.i.i.i.i.i.i:                            ; preds = %B94.else.if.i.i.i.i.i.i, %B94.else.i.i.i.i.i.i, %B94.i.i.i.i.i.i
  %storemerge3.i.i.i.i.i.i = phi i64 [ 0, %B94.i.i.i.i.i.i ], [ %32, %B94.else.if.i.i.i.i.i.i ], [ 0, %B94.else.i.i.i.i.i.i ]
  %.pre.i.i.i.i.i.i = add i64 %storemerge3.i.i.i.i.i.i, %.25.i.i.i36.i.i.i
  br label %B120.i.i.i.i.i.i

B94.else.if.i.i.i.i.i.i:                          ; preds = %B94.else.i.i.i.i.i.i
  %.108.i.i.i.i.i.i = sdiv i64 %.88.i.i.i.i.i.i, %.19.i.i.i.i209.i.i
  %.109.i.i.i.i.i.i = srem i64 %.88.i.i.i.i.i.i, %.19.i.i.i.i209.i.i
  %.110.i.i.i.i.i.i = xor i64 %.109.i.i.i.i.i.i, %.19.i.i.i.i209.i.i
  %.111.i.i.i.i.i.i = icmp slt i64 %.110.i.i.i.i.i.i, 0
  %.112.i.i.i.i.i.i = icmp ne i64 %.109.i.i.i.i.i.i, 0
  %.113.i.i.i.i.i.i = and i1 %.112.i.i.i.i.i.i, %.111.i.i.i.i.i.i
  %.118.i.i.i.i.i.i = sext i1 %.113.i.i.i.i.i.i to i64
  %spec.select7.i.i.i.i.i.i = add i64 %.108.i.i.i.i.i.i, %.118.i.i.i.i.i.i
  %32 = mul nsw i64 %spec.select7.i.i.i.i.i.i, %.40.i.i.i.i.i
  br label %B94.endif.i.i.i.i.i.i

B120.else.i.i.i.i.i.i:                            ; preds = %B120.i.i.i.i.i.i
  %.175.i.i.i.i.i.i = icmp ne i64 %.161.pre-phi.i.i.i.i.i.i, -9223372036854775808
  %.176.i.i.i.i.i.i = icmp ne i64 %storemerge4.i.i.i.i.i.i, -1
  %.177.not.i.i.i.i.i.i = or i1 %.175.i.i.i.i.i.i, %.176.i.i.i.i.i.i
  br i1 %.177.not.i.i.i.i.i.i, label %B120.else.if.i.i.i.i.i.i, label %share_kernel.exit.i.i.i.i, !prof !99

B120.else.if.i.i.i.i.i.i:                         ; preds = %B120.else.i.i.i.i.i.i
  %.180.i.i.i.i.i.i = sdiv i64 %.161.pre-phi.i.i.i.i.i.i, %storemerge4.i.i.i.i.i.i
  %.181.i.i.i.i.i.i = srem i64 %.161.pre-phi.i.i.i.i.i.i, %storemerge4.i.i.i.i.i.i
  %.182.i.i.i.i.i.i = xor i64 %.181.i.i.i.i.i.i, %storemerge4.i.i.i.i.i.i
  %.183.i.i.i.i.i.i = icmp slt i64 %.182.i.i.i.i.i.i, 0
  %.184.i.i.i.i.i.i = icmp ne i64 %.181.i.i.i.i.i.i, 0
  %.185.i.i.i.i.i.i = and i1 %.184.i.i.i.i.i.i, %.183.i.i.i.i.i.i
  %.190.i.i.i.i.i.i = sext i1 %.185.i.i.i.i.i.i to i64
  %spec.select8.i.i.i.i.i.i = add i64 %.180.i.i.i.i.i.i, %.190.i.i.i.i.i.i
  br label %share_kernel.exit.i.i.i.i

share_kernel.exit.i.i.i.i: ; preds = %B120.else.if.i.i.i.i.i.i, %B120.else.i.i.i.i.i.i, %B120.i.i.i.i.i.i
  %storemerge6.i.i.i.i.i.i = phi i64 [ 0, %B120.i.i.i.i.i.i ], [ %spec.select8.i.i.i.i.i.i, %B120.else.if.i.i.i.i.i.i ], [ 0, %B120.else.i.i.i.i.i.i ]
  store i64 %storemerge6.i.i.i.i.i.i, ptr %.203.i.i.i.i.i.i, align 16, !noalias !95
  store i64 0, ptr %.70.i.i.i.i.i, align 8, !noalias !92
  call fastcc void @run_job(ptr nonnull %.70.i.i.i.i.i, i64 %.145.i.i.i.i, i64 %.9.i.i.i.i.i)
  %.84.i.i.i213.i.i = load i64, ptr %.70.i.i.i.i.i, align 8, !noalias !92
  call void @llvm.lifetime.end.p0(ptr nonnull %.8.i.i.i.i.i), !noalias !83
  call void @llvm.lifetime.end.p0(ptr nonnull %.70.i.i.i.i.i), !noalias !83
  br label %B704.i.i.i.i

B622.i.i.i.i:                                     ; preds = %B480.i.i.i.i, %lay_out.exit.i.i.i.i
  %.191.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.192.i.i.i.i = load i64, ptr %.191.i.i.i.i, align 8, !noalias !83
  %.194.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.195.i.i.i.i = load i64, ptr %.194.i.i.i.i, align 8, !noalias !83
  %.198.i.i.i.i = inttoptr i64 %.192.i.i.i.i to ptr
  %.199.i.i.i.i = call i64 %.198.i.i.i.i(i64 %.582.i.i.i.i, i64 %.116.i.i.i.i, i64 0, i64 %.195.i.i.i.i), !noalias !83
  br label %B704.i.i.i.i

B704.i.i.i.i:                                     ; preds = %B622.i.i.i.i, %share_kernel.exit.i.i.i.i
  %storemerge22.i.i.i.i = phi i64 [ %.199.i.i.i.i, %B622.i.i.i.i ], [ %.84.i.i.i213.i.i, %share_kernel.exit.i.i.i.i ]
  %.208.not.i.i.i.i = icmp eq i64 %storemerge22.i.i.i.i, 0
  br i1 %.208.not.i.i.i.i, label %B1634.i.i.i.i, label %run_steps.exit.i.i.i

B768.i.i.i.i:                                     ; preds = %B190.i.i.i.i
  %.240.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 48
  %.241.i.i.i.i = load i64, ptr %.240.i.i.i.i, align 8, !noalias !83
  %.242.i.i.i.i = icmp sgt i64 %.241.i.i.i.i, 0
  br i1 %.242.i.i.i.i, label %B802.i.i.i.i, label %B966.i.i.i.i

B802.i.i.i.i:                                     ; preds = %B768.i.i.i.i
  %.246.i.i.i.i = load i64, ptr %.245.i.i.i.i, align 8, !noalias !83
  %.247.i.i.i.i = inttoptr i64 %.246.i.i.i.i to ptr
  %.248.i.i.i.i = getelementptr i8, ptr %.247.i.i.i.i, i64 8
  %.249.i24.i.i.i = load i64, ptr %.248.i.i.i.i, align 8, !noalias !83
  %.250.i.i.i.i = icmp sgt i64 %.249.i24.i.i.i, 1
  br i1 %.250.i.i.i.i, label %B884.i.i.i.i, label %B966.i.i.i.i

B884.i.i.i.i:                                     ; preds = %B802.i.i.i.i
  %.258.i25.i.i.i = load i64, ptr %.197.i.i, align 8, !noalias !83
  call void @llvm.lifetime.start.p0(ptr nonnull %.9.i54.i.i.i.i), !noalias !83
  call void @llvm.lifetime.start.p0(ptr nonnull %.86.i.i.i.i.i), !noalias !83
  %.12.i56.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.13.i57.i.i.i.i = load i64, ptr %.12.i56.i.i.i.i, align 8, !noalias !100
  store i64 %.13.i57.i.i.i.i, ptr %.14.i.i13.i.i.i, align 8, !noalias !100
  %.17.i58.i.i.i.i = add i64 %position.4.0.i.i.i.i, 72
  store i64 %.17.i58.i.i.i.i, ptr %.18.i59.i.i.i.i, align 32, !noalias !100
  %.20.i.i.i201.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 40
  %.21.i60.i.i.i.i = load i64, ptr %.20.i.i.i201.i.i, align 8, !noalias !100
  %.22.i61.i.i.i.i = shl i64 %.21.i60.i.i.i.i, 3
  %.24.i.i26.i.i.i = add i64 %.22.i61.i.i.i.i, %.17.i58.i.i.i.i
  store i64 %.24.i.i26.i.i.i, ptr %.25.i62.i.i.i.i, align 64, !noalias !100
  %.27.i63.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.28.i.i.i.i.i = load i64, ptr %.27.i63.i.i.i.i, align 8, !noalias !100
  store i64 %.28.i.i.i.i.i, ptr %.29.i.i14.i.i.i, align 8, !noalias !100
  %.33.i64.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.34.i65.i.i.i.i = load i64, ptr %.33.i64.i.i.i.i, align 8, !noalias !100
  %.35.i.i.i.i.i = shl nsw i64 %.34.i65.i.i.i.i, 3
  %.38.i66.i.i.i.i = shl nsw i64 %.28.i.i.i.i.i, 1
  %.39.i67.i.i.i.i = or disjoint i64 %.38.i66.i.i.i.i, 1
  %.40.i68.i.i.i.i = mul nsw i64 %.35.i.i.i.i.i, %.39.i67.i.i.i.i
  %.41.i69.i.i.i.i = add nsw i64 %.40.i68.i.i.i.i, %.24.i.i26.i.i.i
  store i64 %.41.i69.i.i.i.i, ptr %.42.i70.i.i.i.i, align 16, !noalias !100
  store i64 0, ptr %.44.i.i.i.i.i, align 8, !noalias !100
  %.46.i.i27.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 64
  %.47.i.i28.i.i.i = load i64, ptr %.46.i.i27.i.i.i, align 8, !noalias !100
  store i64 %.47.i.i28.i.i.i, ptr %.48.i.i.i.i.i, align 16, !noalias !100
  store i64 %frame_address.0.i, ptr %.50.i.i.i.i.i, align 8, !noalias !100
  store i64 %.258.i25.i.i.i, ptr %.52.i.i15.i.i.i, align 32, !noalias !100
  %.56.i.i.i.i.i = load i64, ptr %.240.i.i.i.i, align 8, !noalias !100
  %.57.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 56
  %.58.i.i.i.i.i = load i64, ptr %.57.i.i.i.i.i, align 8, !noalias !100
  %.19.i.i73.i.i.i.i = load i64, ptr %.248.i.i.i.i, align 8, !noalias !103
  %.72.i.i74.i.i.i.i = icmp sgt i64 %.58.i.i.i.i.i, 1
  br i1 %.72.i.i74.i.i.i.i, label %B120.else.thread.i.i.i.i.i.i, label %B94.i.i75.i.i.i.i

B120.else.thread.i.i.i.i.i.i:                     ; preds = %B884.i.i.i.i
  store i64 %.56.i.i.i.i.i, ptr %.142.i.i94.i.i.i.i, align 16, !noalias !103
  %.14613.i.i.i.i.i.i = mul nsw i64 %.19.i.i73.i.i.i.i, %.58.i.i.i.i.i
  store i64 %.14613.i.i.i.i.i.i, ptr %.152.i.i96.i.i.i.i, align 8, !noalias !103
  store i64 1, ptr %.155.i.i97.i.i.i.i, align 8, !noalias !103
  br label %B120.else.if.i.i103.i.i.i.i

B94.i.i75.i.i.i.i:                                ; preds = %B884.i.i.i.i
  %.85.i.i76.i.i.i.i = add i64 %.56.i.i.i.i.i, -1
  %.88.i.i77.i.i.i.i = add i64 %.19.i.i73.i.i.i.i, %.85.i.i76.i.i.i.i
  %.92.i.i78.i.i.i.i = icmp eq i64 %.19.i.i73.i.i.i.i, 0
  br i1 %.92.i.i78.i.i.i.i, label %B120.thread.i.i.i.i.i.i, label %B94.else.i.i79.i.i.i.i, !prof !98

B120.thread.i.i.i.i.i.i:                          ; preds = %B94.else.i.i79.i.i.i.i, %B94.i.i75.i.i.i.i
  store i64 %.56.i.i.i.i.i, ptr %.142.i.i94.i.i.i.i, align 16, !noalias !103
  %.1464.i.i.i.i.i.i = mul nsw i64 %.19.i.i73.i.i.i.i, %.58.i.i.i.i.i
  store i64 %.1464.i.i.i.i.i.i, ptr %.152.i.i96.i.i.i.i, align 8, !noalias !103
  store i64 0, ptr %.155.i.i97.i.i.i.i, align 8, !noalias !103
  br label %B1004.i.i.i.i

B120.i.i85.i.i.i.i:                               ; preds = %B94.else.i.i79.i.i.i.i
  %.108.i.i86.i.i.i.i = sdiv i64 %.88.i.i77.i.i.i.i, %.19.i.i73.i.i.i.i
  %.109.i.i87.i.i.i.i = srem i64 %.88.i.i77.i.i.i.i, %.19.i.i73.i.i.i.i
  %.110.i.i88.i.i.i.i = xor i64 %.109.i.i87.i.i.i.i, %.19.i.i73.i.i.i.i
  %.111.i.i89.i.i.i.i = icmp slt i64 %.110.i.i88.i.i.i.i, 0
  %.112.i.i90.i.i.i.i = icmp ne i64 %.109.i.i87.i.i.i.i, 0
  %.113.i.i91.i.i.i.i = and i1 %.112.i.i90.i.i.i.i, %.111.i.i89.i.i.i.i
  %.118.i.i92.i.i.i.i = sext i1 %.113.i.i91.i.i.i.i to i64
  %spec.select.i.i93.i.i.i.i = add i64 %.108.i.i86.i.i.i.i, %.118.i.i92.i.i.i.i
  store i64 %.56.i.i.i.i.i, ptr %.142.i.i94.i.i.i.i, align 16, !noalias !103
  %.146.i.i95.i.i.i.i = mul nsw i64 %.19.i.i73.i.i.i.i, %.58.i.i.i.i.i
  store i64 %.146.i.i95.i.i.i.i, ptr %.152.i.i96.i.i.i.i, align 8, !noalias !103
  store i64 %spec.select.i.i93.i.i.i.i, ptr %.155.i.i97.i.i.i.i, align 8, !noalias !103
  %.164.i.i98.i.i.i.i = icmp eq i64 %spec.select.i.i93.i.i.i.i, 0
  br i1 %.164.i.i98.i.i.i.i, label %B1004.i.i.i.i, label %B120.else.i.i99.i.i.i.i, !prof !106

B94.else.i.i79.i.i.i.i:                           ; preds = %B94.i.i75.i.i.i.i
  %.103.i.i80.i.i.i.i = icmp ne i64 %.88.i.i77.i.i.i.i, -9223372036854775808
  %.104.i.i81.i.i.i.i = icmp ne i64 %.19.i.i73.i.i.i.i, -1
  %.105.not.i.i82.i.i.i.i = or i1 %.104.i.i81.i.i.i.i, %.103.i.i80.i.i.i.i
  br i1 %.105.not.i.i82.i.i.i.i, label %B120.i.i85.i.i.i.i, label %B120.thread.i.i.i.i.i.i, !prof !99

B120.else.i.i99.i.i.i.i:                          ; preds = %B120.i.i85.i.i.i.i
  %.161.i.i.i.i.i.i = add i64 %spec.select.i.i93.i.i.i.i, %.85.i.i76.i.i.i.i
  %.175.i.i100.i.i.i.i = icmp ne i64 %.161.i.i.i.i.i.i, -9223372036854775808
  %.176.i.i101.i.i.i.i = icmp ne i64 %spec.select.i.i93.i.i.i.i, -1
  %.177.not.i.i102.i.i.i.i = or i1 %.176.i.i101.i.i.i.i, %.175.i.i100.i.i.i.i
  br i1 %.177.not.i.i102.i.i.i.i, label %B120.else.if.i.i103.i.i.i.i, label %B1004.i.i.i.i, !prof !107

B120.else.if.i.i103.i.i.i.i:                      ; preds = %B120.else.i.i99.i.i.i.i, %B120.else.thread.i.i.i.i.i.i
  %storemerge21826.i.i.i.i.i.i = phi i64 [ 1, %B120.else.thread.i.i.i.i.i.i ], [ %spec.select.i.i93.i.i.i.i, %B120.else.i.i99.i.i.i.i ]
  %.1611925.i.i.i.i.i.i = phi i64 [ %.56.i.i.i.i.i, %B120.else.thread.i.i.i.i.i.i ], [ %.161.i.i.i.i.i.i, %B120.else.i.i99.i.i.i.i ]
  %.180.i.i104.i.i.i.i = sdiv i64 %.1611925.i.i.i.i.i.i, %storemerge21826.i.i.i.i.i.i
  %.181.i.i105.i.i.i.i = srem i64 %.1611925.i.i.i.i.i.i, %storemerge21826.i.i.i.i.i.i
  %.182.i.i106.i.i.i.i = xor i64 %.181.i.i105.i.i.i.i, %storemerge21826.i.i.i.i.i.i
  %.183.i.i107.i.i.i.i = icmp slt i64 %.182.i.i106.i.i.i.i, 0
  %.184.i.i108.i.i.i.i = icmp ne i64 %.181.i.i105.i.i.i.i, 0
  %.185.i.i109.i.i.i.i = and i1 %.184.i.i108.i.i.i.i, %.183.i.i107.i.i.i.i
  %.190.i.i110.i.i.i.i = sext i1 %.185.i.i109.i.i.i.i to i64
  %spec.select5.i.i.i.i.i.i = add i64 %.180.i.i104.i.i.i.i, %.190.i.i110.i.i.i.i
  br label %B1004.i.i.i.i

B966.i.i.i.i:                                     ; preds = %B802.i.i.i.i, %B768.i.i.i.i
  %.18.i112.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.19.i113.i.i.i.i = load i64, ptr %.18.i112.i.i.i.i, align 8, !noalias !108
  %.24.i114.i.i.i.i = add nsw i64 %position.4.0.i.i.i.i, 72
  %.43.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.44.i117.i.i.i.i = load i64, ptr %.43.i.i.i.i.i, align 8, !noalias !108
  %.1261.not.i.i.i.i.i = icmp slt i64 %.44.i117.i.i.i.i, 1
  br i1 %.1261.not.i.i.i.i.i, label %B1634.i.i.i.i, label %B194.lr.ph.i.i.i.i.i

B194.lr.ph.i.i.i.i.i:                             ; preds = %B966.i.i.i.i
  %.1352.i.i.i.i.i = add nsw i64 %.44.i117.i.i.i.i, -1
  %.34.i118.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 40
  %.35.i119.i.i.i.i = load i64, ptr %.34.i118.i.i.i.i, align 8, !noalias !108
  %.36.i.i.i.i.i = shl nsw i64 %.35.i119.i.i.i.i, 3
  %.38.i120.i.i.i.i = add nsw i64 %.36.i.i.i.i.i, %.24.i114.i.i.i.i
  %.1021.not.i.i.i.i.i.i = icmp slt i64 %.19.i113.i.i.i.i, 1
  %.195.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.235.i.i.i.i.i = shl i64 %.19.i113.i.i.i.i, 4
  %.236.i.i.i.i.i = or disjoint i64 %.235.i.i.i.i.i, 8
  br i1 %.1021.not.i.i.i.i.i.i, label %B194.us.i.i.i.i.i, label %B194.i.i.i.i.i.preheader

B194.i.i.i.i.i.preheader:                         ; preds = %B194.lr.ph.i.i.i.i.i
  %xtraiter188 = and i64 %.19.i113.i.i.i.i, 1
  %33 = icmp eq i64 %.19.i113.i.i.i.i, 1
  %unroll_iter192 = and i64 %.19.i113.i.i.i.i, 9223372036854775806
  %lcmp.mod190.not = icmp eq i64 %xtraiter188, 0
  %lcmp.mod191 = icmp ne i64 %xtraiter188, 0
  br label %B194.i.i.i.i.i

B194.us.i.i.i.i.i:                                ; preds = %B194.lr.ph.i.i.i.i.i, %B352.us.i.i.i.i.i
  %.1354.us.i.i.i.i.i = phi i64 [ %.135.us.i.i.i.i.i, %B352.us.i.i.i.i.i ], [ %.1352.i.i.i.i.i, %B194.lr.ph.i.i.i.i.i ]
  %row_address.2.03.us.i.i.i.i.i = phi i64 [ %.239.us.i.i.i.i.i, %B352.us.i.i.i.i.i ], [ %.38.i120.i.i.i.i, %B194.lr.ph.i.i.i.i.i ]
  %.13.i.us.i.i.i.i.i = inttoptr i64 %row_address.2.03.us.i.i.i.i.i to ptr
  %.196.us.i.i.i.i.i = load i64, ptr %.195.i.i.i.i.i, align 8, !noalias !108
  %.200.us.i.i.i.i.i = load i64, ptr %.13.i.us.i.i.i.i.i, align 8, !noalias !108
  %.203.us.i.i.i.i.i = inttoptr i64 %.196.us.i.i.i.i.i to ptr
  %.204.us.i.i.i.i.i = call i64 %.203.us.i.i.i.i.i(i64 %.582.i.i.i.i, i64 %.24.i114.i.i.i.i, i64 0, i64 %.200.us.i.i.i.i.i), !noalias !108
  %.209.not.us.i.i.i.i.i = icmp eq i64 %.204.us.i.i.i.i.i, 0
  br i1 %.209.not.us.i.i.i.i.i, label %B352.us.i.i.i.i.i, label %run_steps.exit.i.i.i

B352.us.i.i.i.i.i:                                ; preds = %B194.us.i.i.i.i.i
  %.239.us.i.i.i.i.i = add nsw i64 %row_address.2.03.us.i.i.i.i.i, %.236.i.i.i.i.i
  %.126.us.i.i.i.i.i = icmp sgt i64 %.1354.us.i.i.i.i.i, 0
  %.135.us.i.i.i.i.i = add nsw i64 %.1354.us.i.i.i.i.i, -1
  br i1 %.126.us.i.i.i.i.i, label %B194.us.i.i.i.i.i, label %B1634.i.i.i.i

B194.i.i.i.i.i:                                   ; preds = %B194.i.i.i.i.i.preheader, %B352.i.i.i.i.i
  %.1354.i.i.i.i.i = phi i64 [ %.135.i.i.i.i.i, %B352.i.i.i.i.i ], [ %.1352.i.i.i.i.i, %B194.i.i.i.i.i.preheader ]
  %row_address.2.03.i.i.i.i.i = phi i64 [ %.239.i.i.i.i.i, %B352.i.i.i.i.i ], [ %.38.i120.i.i.i.i, %B194.i.i.i.i.i.preheader ]
  %.13.i.i.i.i199.i.i = inttoptr i64 %row_address.2.03.i.i.i.i.i to ptr
  br i1 %33, label %B96.i.i.i.i.i.i.epil.preheader, label %B96.i.i.i.i.i.i

B96.i.i.i.i.i.i:                                  ; preds = %B194.i.i.i.i.i, %B96.i.i.i.i.i.i
  %.44.02.i.i.i.i.i.i = phi i64 [ %.115.i.i.i.i.i.i.1, %B96.i.i.i.i.i.i ], [ 0, %B194.i.i.i.i.i ]
  %niter193 = phi i64 [ %niter193.next.1, %B96.i.i.i.i.i.i ], [ 0, %B194.i.i.i.i.i ]
  %.115.i.i.i.i.i.i = or disjoint i64 %.44.02.i.i.i.i.i.i, 1
  %.idx.i.i.i.i.i.i = shl i64 %.44.02.i.i.i.i.i.i, 4
  %34 = getelementptr i8, ptr %.13.i.i.i.i199.i.i, i64 %.idx.i.i.i.i.i.i
  %.144.i.i.i.i200.i.i = getelementptr i8, ptr %34, i64 8
  %.145.i.i.i.i.i.i = load i64, ptr %.144.i.i.i.i200.i.i, align 8, !noalias !111
  %.33.i.i.i.i.i.i.i = sub i64 0, %.145.i.i.i.i.i.i
  %.37.i.i.i.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i.i.i.i.i.i
  %.20.i.i.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.145.i.i.i.i.i.i
  %.141.i.i.i.i.i.i.i = icmp slt i64 %.145.i.i.i.i.i.i, 0
  %storemerge.in.i.i.i.i.i.i.i = select i1 %.141.i.i.i.i.i.i.i, ptr %.37.i.i.i.i.i.i.i, ptr %.20.i.i.i.i.i.i.i
  %storemerge.i.i.i.i.i.i.i = load i64, ptr %storemerge.in.i.i.i.i.i.i.i, align 8, !noalias !114
  %.175.i.i122.i.i.i.i = getelementptr i8, ptr %34, i64 16
  %.176.i.i123.i.i.i.i = load i64, ptr %.175.i.i122.i.i.i.i, align 8, !noalias !111
  %.177.i.i.i.i.i.i = add nsw i64 %.176.i.i123.i.i.i.i, %storemerge.i.i.i.i.i.i.i
  %.179.i.i.i.i.i.i = getelementptr i64, ptr %.17.i.i121.i.i.i.i, i64 %.44.02.i.i.i.i.i.i
  store i64 %.177.i.i.i.i.i.i, ptr %.179.i.i.i.i.i.i, align 8, !noalias !111
  %.115.i.i.i.i.i.i.1 = add nuw nsw i64 %.44.02.i.i.i.i.i.i, 2
  %.idx.i.i.i.i.i.i.1 = shl i64 %.115.i.i.i.i.i.i, 4
  %35 = getelementptr i8, ptr %.13.i.i.i.i199.i.i, i64 %.idx.i.i.i.i.i.i.1
  %.144.i.i.i.i200.i.i.1 = getelementptr i8, ptr %35, i64 8
  %.145.i.i.i.i.i.i.1 = load i64, ptr %.144.i.i.i.i200.i.i.1, align 8, !noalias !111
  %.33.i.i.i.i.i.i.i.1 = sub i64 0, %.145.i.i.i.i.i.i.1
  %.37.i.i.i.i.i.i.i.1 = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i.i.i.i.i.i.1
  %.20.i.i.i.i.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.145.i.i.i.i.i.i.1
  %.141.i.i.i.i.i.i.i.1 = icmp slt i64 %.145.i.i.i.i.i.i.1, 0
  %storemerge.in.i.i.i.i.i.i.i.1 = select i1 %.141.i.i.i.i.i.i.i.1, ptr %.37.i.i.i.i.i.i.i.1, ptr %.20.i.i.i.i.i.i.i.1
  %storemerge.i.i.i.i.i.i.i.1 = load i64, ptr %storemerge.in.i.i.i.i.i.i.i.1, align 8, !noalias !114
  %.175.i.i122.i.i.i.i.1 = getelementptr i8, ptr %35, i64 16
  %.176.i.i123.i.i.i.i.1 = load i64, ptr %.175.i.i122.i.i.i.i.1, align 8, !noalias !111
  %.177.i.i.i.i.i.i.1 = add nsw i64 %.176.i.i123.i.i.i.i.1, %storemerge.i.i.i.i.i.i.i.1
  %.179.i.i.i.i.i.i.1 = getelementptr i64, ptr %.17.i.i121.i.i.i.i, i64 %.115.i.i.i.i.i.i
  store i64 %.177.i.i.i.i.i.i.1, ptr %.179.i.i.i.i.i.i.1, align 8, !noalias !111
  %niter193.next.1 = add i64 %niter193, 2
  %niter193.ncmp.1 = icmp eq i64 %niter193.next.1, %unroll_iter192
  br i1 %niter193.ncmp.1, label %bind_row.exit.loopexit.i.i.i.i.i.unr-lcssa, label %B96.i.i.i.i.i.i

bind_row.exit.loopexit.i.i.i.i.i.unr-lcssa: ; preds = %B96.i.i.i.i.i.i
  br i1 %lcmp.mod190.not, label %bind_row.exit.loopexit.i.i.i.i.i, label %B96.i.i.i.i.i.i.epil.preheader

B96.i.i.i.i.i.i.epil.preheader:                   ; preds = %bind_row.exit.loopexit.i.i.i.i.i.unr-lcssa, %B194.i.i.i.i.i
  %.44.02.i.i.i.i.i.i.epil.init = phi i64 [ 0, %B194.i.i.i.i.i ], [ %.115.i.i.i.i.i.i.1, %bind_row.exit.loopexit.i.i.i.i.i.unr-lcssa ]
  call void @llvm.assume(i1 %lcmp.mod191)
  %.idx.i.i.i.i.i.i.epil = shl i64 %.44.02.i.i.i.i.i.i.epil.init, 4
  %36 = getelementptr i8, ptr %.13.i.i.i.i199.i.i, i64 %.idx.i.i.i.i.i.i.epil
  %.144.i.i.i.i200.i.i.epil = getelementptr i8, ptr %36, i64 8
  %.145.i.i.i.i.i.i.epil = load i64, ptr %.144.i.i.i.i200.i.i.epil, align 8, !noalias !111
  %.33.i.i.i.i.i.i.i.epil = sub i64 0, %.145.i.i.i.i.i.i.epil
  %.37.i.i.i.i.i.i.i.epil = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i.i.i.i.i.i.epil
  %.20.i.i.i.i.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.145.i.i.i.i.i.i.epil
  %.141.i.i.i.i.i.i.i.epil = icmp slt i64 %.145.i.i.i.i.i.i.epil, 0
  %storemerge.in.i.i.i.i.i.i.i.epil = select i1 %.141.i.i.i.i.i.i.i.epil, ptr %.37.i.i.i.i.i.i.i.epil, ptr %.20.i.i.i.i.i.i.i.epil
  %storemerge.i.i.i.i.i.i.i.epil = load i64, ptr %storemerge.in.i.i.i.i.i.i.i.epil, align 8, !noalias !114
  %.175.i.i122.i.i.i.i.epil = getelementptr i8, ptr %36, i64 16
  %.176.i.i123.i.i.i.i.epil = load i64, ptr %.175.i.i122.i.i.i.i.epil, align 8, !noalias !111
  %.177.i.i.i.i.i.i.epil = add nsw i64 %.176.i.i123.i.i.i.i.epil, %storemerge.i.i.i.i.i.i.i.epil
  %.179.i.i.i.i.i.i.epil = getelementptr i64, ptr %.17.i.i121.i.i.i.i, i64 %.44.02.i.i.i.i.i.i.epil.init
  store i64 %.177.i.i.i.i.i.i.epil, ptr %.179.i.i.i.i.i.i.epil, align 8, !noalias !111
  br label %bind_row.exit.loopexit.i.i.i.i.i

bind_row.exit.loopexit.i.i.i.i.i: ; preds = %bind_row.exit.loopexit.i.i.i.i.i.unr-lcssa, %B96.i.i.i.i.i.i.epil.preheader
  %.196.i.i.i.i.i = load i64, ptr %.195.i.i.i.i.i, align 8, !noalias !108
  %.200.i.i.i.i.i = load i64, ptr %.13.i.i.i.i199.i.i, align 8, !noalias !108
  %.203.i.i23.i.i.i = inttoptr i64 %.196.i.i.i.i.i to ptr
  %.204.i.i.i.i.i = call i64 %.203.i.i23.i.i.i(i64 %.582.i.i.i.i, i64 %.24.i114.i.i.i.i, i64 0, i64 %.200.i.i.i.i.i), !noalias !108
  %.209.not.i.i.i.i.i = icmp eq i64 %.204.i.i.i.i.i, 0
  br i1 %.209.not.i.i.i.i.i, label %B352.i.i.i.i.i, label %run_steps.exit.i.i.i

B352.i.i.i.i.i:                                   ; preds = %bind_row.exit.loopexit.i.i.i.i.i
  %.239.i.i.i.i.i = add nsw i64 %row_address.2.03.i.i.i.i.i, %.236.i.i.i.i.i
  %.126.i.i.i.i.i = icmp sgt i64 %.1354.i.i.i.i.i, 0
  %.135.i.i.i.i.i = add nsw i64 %.1354.i.i.i.i.i, -1
  br i1 %.126.i.i.i.i.i, label %B194.i.i.i.i.i, label %B1634.i.i.i.i

B1004.i.i.i.i:                                    ; preds = %B120.else.if.i.i103.i.i.i.i, %B120.else.i.i99.i.i.i.i, %B120.i.i85.i.i.i.i, %B120.thread.i.i.i.i.i.i
  %storemerge4.i.i83.i.i.i.i = phi i64 [ 0, %B120.i.i85.i.i.i.i ], [ %spec.select5.i.i.i.i.i.i, %B120.else.if.i.i103.i.i.i.i ], [ 0, %B120.else.i.i99.i.i.i.i ], [ 0, %B120.thread.i.i.i.i.i.i ]
  store i64 %storemerge4.i.i83.i.i.i.i, ptr %.203.i.i84.i.i.i.i, align 16, !noalias !103
  store i64 0, ptr %.86.i.i.i.i.i, align 8, !noalias !100
  call fastcc void @run_job(ptr nonnull %.86.i.i.i.i.i, i64 %.246.i.i.i.i, i64 %.10.i.i.i.i.i)
  %.100.i.i.i.i.i = load i64, ptr %.86.i.i.i.i.i, align 8, !noalias !100
  call void @llvm.lifetime.end.p0(ptr nonnull %.9.i54.i.i.i.i), !noalias !83
  call void @llvm.lifetime.end.p0(ptr nonnull %.86.i.i.i.i.i), !noalias !83
  %.323.not.i.i.i.i = icmp eq i64 %.100.i.i.i.i.i, 0
  br i1 %.323.not.i.i.i.i, label %B1634.i.i.i.i, label %run_steps.exit.i.i.i

B1068.i.i.i.i:                                    ; preds = %B190.i.i.i.i
  %.14.i124.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.15.i125.i.i.i.i = load i64, ptr %.14.i124.i.i.i.i, align 8, !noalias !117
  %.17.i126.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.18.i127.i.i.i.i = load i64, ptr %.17.i126.i.i.i.i, align 8, !noalias !117
  %.20.i128.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.18.i127.i.i.i.i
  store i64 %.15.i125.i.i.i.i, ptr %.20.i128.i.i.i.i, align 8, !noalias !117
  %.26.i129.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.27.i130.i.i.i.i = load i64, ptr %.26.i129.i.i.i.i, align 8, !noalias !117
  %.1091.not.i.i.i.i.i = icmp slt i64 %.27.i130.i.i.i.i, 1
  br i1 %.1091.not.i.i.i.i.i, label %B1634.i.i.i.i, label %B126.i.i.i.i.i.preheader

B126.i.i.i.i.i.preheader:                         ; preds = %B1068.i.i.i.i
  %xtraiter182 = and i64 %.27.i130.i.i.i.i, 1
  %37 = icmp eq i64 %.27.i130.i.i.i.i, 1
  br i1 %37, label %B126.i.i.i.i.i.epil.preheader, label %B126.i.i.i.i.i.preheader.new

B126.i.i.i.i.i.preheader.new:                     ; preds = %B126.i.i.i.i.i.preheader
  %unroll_iter186 = and i64 %.27.i130.i.i.i.i, 9223372036854775806
  br label %B126.i.i.i.i.i

B126.i.i.i.i.i:                                   ; preds = %B126.i.i.i.i.i, %B126.i.i.i.i.i.preheader.new
  %at.2.03.i.i.i.i.i = phi i64 [ 5, %B126.i.i.i.i.i.preheader.new ], [ %.193.i.i.i.i.i.1, %B126.i.i.i.i.i ]
  %niter187 = phi i64 [ 0, %B126.i.i.i.i.i.preheader.new ], [ %niter187.next.1, %B126.i.i.i.i.i ]
  %38 = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.2.03.i.i.i.i.i
  %.151.i.i22.i.i.i = getelementptr i8, ptr %38, i64 8
  %.152.i.i.i.i.i = load i64, ptr %.151.i.i22.i.i.i, align 8, !noalias !117
  %.33.i.i131.i.i.i.i = sub i64 0, %.152.i.i.i.i.i
  %.37.i.i132.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i131.i.i.i.i
  %.20.i.i133.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.152.i.i.i.i.i
  %.141.i.i134.i.i.i.i = icmp slt i64 %.152.i.i.i.i.i, 0
  %storemerge.in.i.i135.i.i.i.i = select i1 %.141.i.i134.i.i.i.i, ptr %.37.i.i132.i.i.i.i, ptr %.20.i.i133.i.i.i.i
  %storemerge.i.i136.i.i.i.i = load i64, ptr %storemerge.in.i.i135.i.i.i.i, align 8, !noalias !120
  %.182.i.i.i197.i.i = getelementptr i8, ptr %38, i64 16
  %.183.i.i.i.i.i = load i64, ptr %.182.i.i.i197.i.i, align 8, !noalias !117
  %.184.i.i.i198.i.i = add nsw i64 %.183.i.i.i.i.i, %storemerge.i.i136.i.i.i.i
  %.188.i.i.i.i.i = load i64, ptr %38, align 8, !noalias !117
  %.190.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.188.i.i.i.i.i
  store i64 %.184.i.i.i198.i.i, ptr %.190.i.i.i.i.i, align 8, !noalias !117
  %39 = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.2.03.i.i.i.i.i
  %40 = getelementptr i8, ptr %39, i64 24
  %.151.i.i22.i.i.i.1 = getelementptr i8, ptr %39, i64 32
  %.152.i.i.i.i.i.1 = load i64, ptr %.151.i.i22.i.i.i.1, align 8, !noalias !117
  %.33.i.i131.i.i.i.i.1 = sub i64 0, %.152.i.i.i.i.i.1
  %.37.i.i132.i.i.i.i.1 = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i131.i.i.i.i.1
  %.20.i.i133.i.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.152.i.i.i.i.i.1
  %.141.i.i134.i.i.i.i.1 = icmp slt i64 %.152.i.i.i.i.i.1, 0
  %storemerge.in.i.i135.i.i.i.i.1 = select i1 %.141.i.i134.i.i.i.i.1, ptr %.37.i.i132.i.i.i.i.1, ptr %.20.i.i133.i.i.i.i.1
  %storemerge.i.i136.i.i.i.i.1 = load i64, ptr %storemerge.in.i.i135.i.i.i.i.1, align 8, !noalias !120
  %.182.i.i.i197.i.i.1 = getelementptr i8, ptr %39, i64 40
  %.183.i.i.i.i.i.1 = load i64, ptr %.182.i.i.i197.i.i.1, align 8, !noalias !117
  %.184.i.i.i198.i.i.1 = add nsw i64 %.183.i.i.i.i.i.1, %storemerge.i.i136.i.i.i.i.1
  %.188.i.i.i.i.i.1 = load i64, ptr %40, align 8, !noalias !117
  %.190.i.i.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.188.i.i.i.i.i.1
  store i64 %.184.i.i.i198.i.i.1, ptr %.190.i.i.i.i.i.1, align 8, !noalias !117
  %.193.i.i.i.i.i.1 = add nuw nsw i64 %at.2.03.i.i.i.i.i, 6
  %niter187.next.1 = add i64 %niter187, 2
  %niter187.ncmp.1.not = icmp eq i64 %niter187.next.1, %unroll_iter186
  br i1 %niter187.ncmp.1.not, label %B1634.i.i.i.i.loopexit151.unr-lcssa, label %B126.i.i.i.i.i

B1150.i.i.i.i:                                    ; preds = %B190.i.i.i.i
  %.11.i137.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.12.i138.i.i.i.i = load i64, ptr %.11.i137.i.i.i.i, align 8, !noalias !123
  %.14.i139.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.12.i138.i.i.i.i
  %.15.i140.i.i.i.i = load i64, ptr %.14.i139.i.i.i.i, align 8, !noalias !123
  %.16.i.i.i196.i.i = add nsw i64 %.15.i140.i.i.i.i, -1
  store i64 %.16.i.i.i196.i.i, ptr %.14.i139.i.i.i.i, align 8, !noalias !123
  %.23.i141.i.i.i.i = icmp slt i64 %.15.i140.i.i.i.i, 2
  br i1 %.23.i141.i.i.i.i, label %B1634.i.i.i.i, label %B96.i.i.i.i.i

B96.i.i.i.i.i:                                    ; preds = %B1150.i.i.i.i
  %.36.i142.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 40
  %.37.i143.i.i.i.i = load i64, ptr %.36.i142.i.i.i.i, align 8, !noalias !123
  %.1193.not.i.i.i.i.i = icmp slt i64 %.37.i143.i.i.i.i, 1
  br i1 %.1193.not.i.i.i.i.i, label %B240.i.i.i.i.i, label %B164.i.i.i.i.i.preheader

B164.i.i.i.i.i.preheader:                         ; preds = %B96.i.i.i.i.i
  %xtraiter175 = and i64 %.37.i143.i.i.i.i, 1
  %41 = icmp eq i64 %.37.i143.i.i.i.i, 1
  br i1 %41, label %B164.i.i.i.i.i.epil.preheader, label %B164.i.i.i.i.i.preheader.new

B164.i.i.i.i.i.preheader.new:                     ; preds = %B164.i.i.i.i.i.preheader
  %unroll_iter180 = and i64 %.37.i143.i.i.i.i, 9223372036854775806
  br label %B164.i.i.i.i.i

B164.i.i.i.i.i:                                   ; preds = %B164.i.i.i.i.i, %B164.i.i.i.i.i.preheader.new
  %at.3.05.i.i.i.i.i = phi i64 [ 7, %B164.i.i.i.i.i.preheader.new ], [ %.174.i144.i.i.i.i.1, %B164.i.i.i.i.i ]
  %niter181 = phi i64 [ 0, %B164.i.i.i.i.i.preheader.new ], [ %niter181.next.1, %B164.i.i.i.i.i ]
  %.159.i.i.i.i.i = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.3.05.i.i.i.i.i
  %.160.i.i.i.i.i = load i64, ptr %.159.i.i.i.i.i, align 8, !noalias !123
  %.162.i.i19.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.160.i.i.i.i.i
  %.163.i.i.i.i.i = load i64, ptr %.162.i.i19.i.i.i, align 8, !noalias !123
  %.167.i.i20.i.i.i = getelementptr i8, ptr %.159.i.i.i.i.i, i64 8
  %.168.i.i.i.i.i = load i64, ptr %.167.i.i20.i.i.i, align 8, !noalias !123
  %.169.i.i.i.i.i = add nsw i64 %.168.i.i.i.i.i, %.163.i.i.i.i.i
  store i64 %.169.i.i.i.i.i, ptr %.162.i.i19.i.i.i, align 8, !noalias !123
  %42 = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.3.05.i.i.i.i.i
  %.159.i.i.i.i.i.1 = getelementptr i8, ptr %42, i64 16
  %.160.i.i.i.i.i.1 = load i64, ptr %.159.i.i.i.i.i.1, align 8, !noalias !123
  %.162.i.i19.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.160.i.i.i.i.i.1
  %.163.i.i.i.i.i.1 = load i64, ptr %.162.i.i19.i.i.i.1, align 8, !noalias !123
  %.167.i.i20.i.i.i.1 = getelementptr i8, ptr %42, i64 24
  %.168.i.i.i.i.i.1 = load i64, ptr %.167.i.i20.i.i.i.1, align 8, !noalias !123
  %.169.i.i.i.i.i.1 = add nsw i64 %.168.i.i.i.i.i.1, %.163.i.i.i.i.i.1
  store i64 %.169.i.i.i.i.i.1, ptr %.162.i.i19.i.i.i.1, align 8, !noalias !123
  %.174.i144.i.i.i.i.1 = add nuw nsw i64 %at.3.05.i.i.i.i.i, 4
  %niter181.next.1 = add i64 %niter181, 2
  %niter181.ncmp.1.not = icmp eq i64 %niter181.next.1, %unroll_iter180
  br i1 %niter181.ncmp.1.not, label %B240.i.i.i.i.i.loopexit.unr-lcssa, label %B164.i.i.i.i.i

B240.i.i.i.i.i.loopexit.unr-lcssa:                ; preds = %B164.i.i.i.i.i
  %lcmp.mod177.not = icmp eq i64 %xtraiter175, 0
  br i1 %lcmp.mod177.not, label %B240.i.i.i.i.i, label %B164.i.i.i.i.i.epil.preheader

B164.i.i.i.i.i.epil.preheader:                    ; preds = %B240.i.i.i.i.i.loopexit.unr-lcssa, %B164.i.i.i.i.i.preheader
  %at.3.05.i.i.i.i.i.epil.init = phi i64 [ 7, %B164.i.i.i.i.i.preheader ], [ %.174.i144.i.i.i.i.1, %B240.i.i.i.i.i.loopexit.unr-lcssa ]
  %lcmp.mod179 = icmp ne i64 %xtraiter175, 0
  call void @llvm.assume(i1 %lcmp.mod179)
  %.159.i.i.i.i.i.epil = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.3.05.i.i.i.i.i.epil.init
  %.160.i.i.i.i.i.epil = load i64, ptr %.159.i.i.i.i.i.epil, align 8, !noalias !123
  %.162.i.i19.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.160.i.i.i.i.i.epil
  %.163.i.i.i.i.i.epil = load i64, ptr %.162.i.i19.i.i.i.epil, align 8, !noalias !123
  %.167.i.i20.i.i.i.epil = getelementptr i8, ptr %.159.i.i.i.i.i.epil, i64 8
  %.168.i.i.i.i.i.epil = load i64, ptr %.167.i.i20.i.i.i.epil, align 8, !noalias !123
  %.169.i.i.i.i.i.epil = add nsw i64 %.168.i.i.i.i.i.epil, %.163.i.i.i.i.i.epil
  store i64 %.169.i.i.i.i.i.epil, ptr %.162.i.i19.i.i.i.epil, align 8, !noalias !123
  %.174.i144.i.i.i.i.epil = add nuw nsw i64 %at.3.05.i.i.i.i.i.epil.init, 2
  br label %B240.i.i.i.i.i

B240.i.i.i.i.i:                                   ; preds = %B164.i.i.i.i.i.epil.preheader, %B240.i.i.i.i.i.loopexit.unr-lcssa, %B96.i.i.i.i.i
  %at.3.0.lcssa.i.i.i.i.i = phi i64 [ 7, %B96.i.i.i.i.i ], [ %.174.i144.i.i.i.i.1, %B240.i.i.i.i.i.loopexit.unr-lcssa ], [ %.174.i144.i.i.i.i.epil, %B164.i.i.i.i.i.epil.preheader ]
  %.189.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 48
  %.190.i145.i.i.i.i = load i64, ptr %.189.i.i.i.i.i, align 8, !noalias !123
  %.2706.not.i.i.i.i.i = icmp slt i64 %.190.i145.i.i.i.i, 1
  br i1 %.2706.not.i.i.i.i.i, label %B1182.i.i.i.i, label %B294.i.i.i.i.i

B294.i.i.i.i.i:                                   ; preds = %B240.i.i.i.i.i, %B294.i.i.i.i.i
  %at.4.08.i.i.i.i.i = phi i64 [ %.355.i.i.i.i.i, %B294.i.i.i.i.i ], [ %at.3.0.lcssa.i.i.i.i.i, %B240.i.i.i.i.i ]
  %.217.07.i.i.i.i.i = phi i64 [ %.279.i.i21.i.i.i, %B294.i.i.i.i.i ], [ %.190.i145.i.i.i.i, %B240.i.i.i.i.i ]
  %.279.i.i21.i.i.i = add nsw i64 %.217.07.i.i.i.i.i, -1
  %43 = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.4.08.i.i.i.i.i
  %.311.i.i.i.i.i = getelementptr i8, ptr %43, i64 8
  %.312.i.i.i.i.i = load i64, ptr %.311.i.i.i.i.i, align 8, !noalias !123
  %.314.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.312.i.i.i.i.i
  %.315.i.i.i.i.i = load i64, ptr %.314.i.i.i.i.i, align 8, !noalias !123
  %.319.i.i.i.i.i = load i64, ptr %43, align 8, !noalias !123
  %.321.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.319.i.i.i.i.i
  store i64 %.315.i.i.i.i.i, ptr %.321.i.i.i.i.i, align 8, !noalias !123
  %.326.i.i.i.i.i = getelementptr i8, ptr %43, i64 16
  %.327.i.i.i.i.i = load i64, ptr %.326.i.i.i.i.i, align 8, !noalias !123
  %.329.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.327.i.i.i.i.i
  %.330.i.i.i.i.i = load i64, ptr %.329.i.i.i.i.i, align 8, !noalias !123
  %.335.i.i.i.i.i = load i64, ptr %.311.i.i.i.i.i, align 8, !noalias !123
  %.337.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.335.i.i.i.i.i
  store i64 %.330.i.i.i.i.i, ptr %.337.i.i.i.i.i, align 8, !noalias !123
  %.342.i.i.i.i.i = load i64, ptr %43, align 8, !noalias !123
  %.344.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.342.i.i.i.i.i
  %.345.i.i.i.i.i = load i64, ptr %.344.i.i.i.i.i, align 8, !noalias !123
  %.350.i.i.i.i.i = load i64, ptr %.326.i.i.i.i.i, align 8, !noalias !123
  %.352.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.350.i.i.i.i.i
  store i64 %.345.i.i.i.i.i, ptr %.352.i.i.i.i.i, align 8, !noalias !123
  %.355.i.i.i.i.i = add nuw nsw i64 %at.4.08.i.i.i.i.i, 3
  %.270.i.i.i.i.i = icmp samesign ugt i64 %.217.07.i.i.i.i.i, 1
  br i1 %.270.i.i.i.i.i, label %B294.i.i.i.i.i, label %B1182.i.i.i.i

B1182.i.i.i.i:                                    ; preds = %B294.i.i.i.i.i, %B240.i.i.i.i.i
  %.428.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.429.i.i.i.i = load i64, ptr %.428.i.i.i.i, align 8, !noalias !83
  %.434.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.435.i.i.i.i = load i64, ptr %.434.i.i.i.i, align 8, !noalias !83
  %.438.i.i.i.i = shl nsw i64 %.435.i.i.i.i, 3
  %.440.i.i.i.i = sub nsw i64 %position.4.0.i.i.i.i, %.438.i.i.i.i
  %.52.pre.i.i.i.i = load i64, ptr %.5115.i.i.i.i, align 8, !noalias !83
  br label %B1709.i.i.i.i

B1296.i.i.i.i:                                    ; preds = %B190.i.i.i.i
  %.14.i147.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.15.i148.i.i.i.i = load i64, ptr %.14.i147.i.i.i.i, align 8, !noalias !126
  %.16.i149.i.i.i.i = icmp eq i64 %.15.i148.i.i.i.i, 0
  br i1 %.16.i149.i.i.i.i, label %B1330.i.i.i.i, label %jumps.exit.i.i.i.i

jumps.exit.i.i.i.i: ; preds = %B1296.i.i.i.i
  %.29.i150.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 40
  %.30.i151.i.i.i.i = load i64, ptr %.29.i150.i.i.i.i, align 8, !noalias !126
  %.33.i.i152.i.i.i.i = sub i64 0, %.30.i151.i.i.i.i
  %.37.i.i153.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i152.i.i.i.i
  %.20.i.i154.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.30.i151.i.i.i.i
  %.141.i.i155.i.i.i.i = icmp slt i64 %.30.i151.i.i.i.i, 0
  %storemerge.in.i.i156.i.i.i.i = select i1 %.141.i.i155.i.i.i.i, ptr %.37.i.i153.i.i.i.i, ptr %.20.i.i154.i.i.i.i
  %storemerge.i.i157.i.i.i.i = load i64, ptr %storemerge.in.i.i156.i.i.i.i, align 8, !noalias !129
  %.65.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 48
  %.66.i.i.i.i.i = load i64, ptr %.65.i.i.i.i.i, align 8, !noalias !126
  %.69.i.i.i.i.i = add nsw i64 %.66.i.i.i.i.i, %storemerge.i.i157.i.i.i.i
  %.70.i158.i.i.i.i = inttoptr i64 %.69.i.i.i.i.i to ptr
  %.72.i.i.i.i.i = load i8, ptr %.70.i158.i.i.i.i, align 1, !noalias !126
  %.74.i.not.i.i.i.i = icmp eq i8 %.72.i.i.i.i.i, 0
  br i1 %.74.i.not.i.i.i.i, label %B1330.i.i.i.i, label %B1634.i.i.i.i

B1330.i.i.i.i:                                    ; preds = %jumps.exit.i.i.i.i, %B1296.i.i.i.i
  %.492.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.493.i.i.i.i = load i64, ptr %.492.i.i.i.i, align 8, !noalias !83
  %.495.i.i.i.i = add nsw i64 %.493.i.i.i.i, %.67.i.i.i.i
  %.501.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.502.i.i.i.i = load i64, ptr %.501.i.i.i.i, align 8, !noalias !83
  %.505.i.i.i.i = shl nsw i64 %.502.i.i.i.i, 3
  %.507.i.i.i.i = add nsw i64 %.505.i.i.i.i, %position.4.0.i.i.i.i
  br label %B1709.i.i.i.i

B1450.i.i.i.i:                                    ; preds = %B190.i.i.i.i
  %.17.i160.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.18.i161.i.i.i.i = load i64, ptr %.17.i160.i.i.i.i, align 8, !noalias !132
  %.1001.not.i162.i.i.i.i = icmp slt i64 %.18.i161.i.i.i.i, 1
  br i1 %.1001.not.i162.i.i.i.i, label %lay_out.exit181.i.i.i.i, label %B58.i164.i.i.i.i.preheader

B58.i164.i.i.i.i.preheader:                       ; preds = %B1450.i.i.i.i
  %xtraiter169 = and i64 %.18.i161.i.i.i.i, 1
  %44 = icmp eq i64 %.18.i161.i.i.i.i, 1
  br i1 %44, label %B58.i164.i.i.i.i.epil.preheader, label %B58.i164.i.i.i.i.preheader.new

B58.i164.i.i.i.i.preheader.new:                   ; preds = %B58.i164.i.i.i.i.preheader
  %unroll_iter173 = and i64 %.18.i161.i.i.i.i, 9223372036854775806
  br label %B58.i164.i.i.i.i

B58.i164.i.i.i.i:                                 ; preds = %B58.i164.i.i.i.i, %B58.i164.i.i.i.i.preheader.new
  %.42.02.i165.i.i.i.i = phi i64 [ 0, %B58.i164.i.i.i.i.preheader.new ], [ %.113.i166.i.i.i.i.1, %B58.i164.i.i.i.i ]
  %niter174 = phi i64 [ 0, %B58.i164.i.i.i.i.preheader.new ], [ %niter174.next.1, %B58.i164.i.i.i.i ]
  %.113.i166.i.i.i.i = or disjoint i64 %.42.02.i165.i.i.i.i, 1
  %.idx.i167.i.i.i.i = shl i64 %.42.02.i165.i.i.i.i, 4
  %45 = getelementptr i8, ptr %.62.i.i.i.i, i64 %.idx.i167.i.i.i.i
  %.142.i168.i.i.i.i = getelementptr i8, ptr %45, i64 72
  %.143.i169.i.i.i.i = load i64, ptr %.142.i168.i.i.i.i, align 8, !noalias !132
  %.33.i.i170.i.i.i.i = sub i64 0, %.143.i169.i.i.i.i
  %.37.i.i171.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i170.i.i.i.i
  %.20.i.i172.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.143.i169.i.i.i.i
  %.141.i.i173.i.i.i.i = icmp slt i64 %.143.i169.i.i.i.i, 0
  %storemerge.in.i.i174.i.i.i.i = select i1 %.141.i.i173.i.i.i.i, ptr %.37.i.i171.i.i.i.i, ptr %.20.i.i172.i.i.i.i
  %storemerge.i.i175.i.i.i.i = load i64, ptr %storemerge.in.i.i174.i.i.i.i, align 8, !noalias !135
  %.172.i176.i.i.i.i = getelementptr i8, ptr %45, i64 80
  %.173.i177.i.i.i.i = load i64, ptr %.172.i176.i.i.i.i, align 8, !noalias !132
  %.174.i178.i.i.i.i = add nsw i64 %.173.i177.i.i.i.i, %storemerge.i.i175.i.i.i.i
  %.178.i179.i.i.i.i = getelementptr i64, ptr %24, i64 %.42.02.i165.i.i.i.i
  store i64 %.174.i178.i.i.i.i, ptr %.178.i179.i.i.i.i, align 8, !noalias !132
  %.113.i166.i.i.i.i.1 = add nuw nsw i64 %.42.02.i165.i.i.i.i, 2
  %.idx.i167.i.i.i.i.1 = shl i64 %.113.i166.i.i.i.i, 4
  %46 = getelementptr i8, ptr %.62.i.i.i.i, i64 %.idx.i167.i.i.i.i.1
  %.142.i168.i.i.i.i.1 = getelementptr i8, ptr %46, i64 72
  %.143.i169.i.i.i.i.1 = load i64, ptr %.142.i168.i.i.i.i.1, align 8, !noalias !132
  %.33.i.i170.i.i.i.i.1 = sub i64 0, %.143.i169.i.i.i.i.1
  %.37.i.i171.i.i.i.i.1 = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i170.i.i.i.i.1
  %.20.i.i172.i.i.i.i.1 = getelementptr i64, ptr %.22.i.i, i64 %.143.i169.i.i.i.i.1
  %.141.i.i173.i.i.i.i.1 = icmp slt i64 %.143.i169.i.i.i.i.1, 0
  %storemerge.in.i.i174.i.i.i.i.1 = select i1 %.141.i.i173.i.i.i.i.1, ptr %.37.i.i171.i.i.i.i.1, ptr %.20.i.i172.i.i.i.i.1
  %storemerge.i.i175.i.i.i.i.1 = load i64, ptr %storemerge.in.i.i174.i.i.i.i.1, align 8, !noalias !135
  %.172.i176.i.i.i.i.1 = getelementptr i8, ptr %46, i64 80
  %.173.i177.i.i.i.i.1 = load i64, ptr %.172.i176.i.i.i.i.1, align 8, !noalias !132
  %.174.i178.i.i.i.i.1 = add nsw i64 %.173.i177.i.i.i.i.1, %storemerge.i.i175.i.i.i.i.1
  %.178.i179.i.i.i.i.1 = getelementptr i64, ptr %24, i64 %.113.i166.i.i.i.i
  store i64 %.174.i178.i.i.i.i.1, ptr %.178.i179.i.i.i.i.1, align 8, !noalias !132
  %niter174.next.1 = add i64 %niter174, 2
  %niter174.ncmp.1 = icmp eq i64 %niter174.next.1, %unroll_iter173
  br i1 %niter174.ncmp.1, label %lay_out.exit181.loopexit.i.i.i.i.unr-lcssa, label %B58.i164.i.i.i.i

lay_out.exit181.loopexit.i.i.i.i.unr-lcssa: ; preds = %B58.i164.i.i.i.i
  %lcmp.mod171.not = icmp eq i64 %xtraiter169, 0
  br i1 %lcmp.mod171.not, label %lay_out.exit181.loopexit.i.i.i.i, label %B58.i164.i.i.i.i.epil.preheader

B58.i164.i.i.i.i.epil.preheader:                  ; preds = %lay_out.exit181.loopexit.i.i.i.i.unr-lcssa, %B58.i164.i.i.i.i.preheader
  %.42.02.i165.i.i.i.i.epil.init = phi i64 [ 0, %B58.i164.i.i.i.i.preheader ], [ %.113.i166.i.i.i.i.1, %lay_out.exit181.loopexit.i.i.i.i.unr-lcssa ]
  %lcmp.mod172 = icmp ne i64 %xtraiter169, 0
  call void @llvm.assume(i1 %lcmp.mod172)
  %.idx.i167.i.i.i.i.epil = shl i64 %.42.02.i165.i.i.i.i.epil.init, 4
  %47 = getelementptr i8, ptr %.62.i.i.i.i, i64 %.idx.i167.i.i.i.i.epil
  %.142.i168.i.i.i.i.epil = getelementptr i8, ptr %47, i64 72
  %.143.i169.i.i.i.i.epil = load i64, ptr %.142.i168.i.i.i.i.epil, align 8, !noalias !132
  %.33.i.i170.i.i.i.i.epil = sub i64 0, %.143.i169.i.i.i.i.epil
  %.37.i.i171.i.i.i.i.epil = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i170.i.i.i.i.epil
  %.20.i.i172.i.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.143.i169.i.i.i.i.epil
  %.141.i.i173.i.i.i.i.epil = icmp slt i64 %.143.i169.i.i.i.i.epil, 0
  %storemerge.in.i.i174.i.i.i.i.epil = select i1 %.141.i.i173.i.i.i.i.epil, ptr %.37.i.i171.i.i.i.i.epil, ptr %.20.i.i172.i.i.i.i.epil
  %storemerge.i.i175.i.i.i.i.epil = load i64, ptr %storemerge.in.i.i174.i.i.i.i.epil, align 8, !noalias !135
  %.172.i176.i.i.i.i.epil = getelementptr i8, ptr %47, i64 80
  %.173.i177.i.i.i.i.epil = load i64, ptr %.172.i176.i.i.i.i.epil, align 8, !noalias !132
  %.174.i178.i.i.i.i.epil = add nsw i64 %.173.i177.i.i.i.i.epil, %storemerge.i.i175.i.i.i.i.epil
  %.178.i179.i.i.i.i.epil = getelementptr i64, ptr %24, i64 %.42.02.i165.i.i.i.i.epil.init
  store i64 %.174.i178.i.i.i.i.epil, ptr %.178.i179.i.i.i.i.epil, align 8, !noalias !132
  br label %lay_out.exit181.loopexit.i.i.i.i

lay_out.exit181.loopexit.i.i.i.i: ; preds = %lay_out.exit181.loopexit.i.i.i.i.unr-lcssa, %B58.i164.i.i.i.i.epil.preheader
  %.15.i183.pre.i.i.i.i = load i64, ptr %.17.i160.i.i.i.i, align 8, !noalias !138
  br label %lay_out.exit181.i.i.i.i

lay_out.exit181.i.i.i.i: ; preds = %lay_out.exit181.loopexit.i.i.i.i, %B1450.i.i.i.i
  %.15.i183.i.i.i.i = phi i64 [ %.15.i183.pre.i.i.i.i, %lay_out.exit181.loopexit.i.i.i.i ], [ %.18.i161.i.i.i.i, %B1450.i.i.i.i ]
  %.20.i184.i.i.i.i = shl nsw i64 %.15.i183.i.i.i.i, 1
  %.21.i185.i.i.i.i = add nsw i64 %.20.i184.i.i.i.i, 9
  %.26.i186.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 8
  %.27.i187.i.i.i.i = load i64, ptr %.26.i186.i.i.i.i, align 8, !noalias !138
  %.29.i188.i.i.i.i = sub nsw i64 %.27.i187.i.i.i.i, %.21.i185.i.i.i.i
  %.1111.not.i.i.i.i.i = icmp slt i64 %.29.i188.i.i.i.i, 1
  br i1 %.1111.not.i.i.i.i.i, label %lay_out_sizes.exit.i.i.i.i, label %B116.lr.ph.i.i.i.i.i

B116.lr.ph.i.i.i.i.i:                             ; preds = %lay_out.exit181.i.i.i.i
  %48 = getelementptr i64, ptr %.62.i.i.i.i, i64 %.21.i185.i.i.i.i
  %49 = getelementptr i64, ptr %24, i64 %.15.i183.i.i.i.i
  %min.iters.check = icmp ult i64 %.29.i188.i.i.i.i, 6
  br i1 %min.iters.check, label %B116.i.i.i.i.i.preheader, label %vector.memcheck

vector.memcheck:                                  ; preds = %B116.lr.ph.i.i.i.i.i
  %50 = shl i64 %.15.i183.i.i.i.i, 3
  %51 = add i64 %position.4.0.i.i.i.i, %50
  %52 = sub i64 %27, %51
  %diff.check = icmp ult i64 %52, 32
  br i1 %diff.check, label %B116.i.i.i.i.i.preheader, label %vector.ph

vector.ph:                                        ; preds = %vector.memcheck
  %n.vec = and i64 %.29.i188.i.i.i.i, 9223372036854775804
  br label %vector.body

vector.body:                                      ; preds = %vector.body, %vector.ph
  %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %53 = getelementptr i64, ptr %48, i64 %index
  %54 = getelementptr i8, ptr %53, i64 16
  %wide.load = load <2 x i64>, ptr %53, align 8, !noalias !138
  %wide.load145 = load <2 x i64>, ptr %54, align 8, !noalias !138
  %55 = getelementptr i64, ptr %49, i64 %index
  %56 = getelementptr i8, ptr %55, i64 16
  store <2 x i64> %wide.load, ptr %55, align 8, !noalias !138
  store <2 x i64> %wide.load145, ptr %56, align 8, !noalias !138
  %index.next = add nuw i64 %index, 4
  %57 = icmp eq i64 %index.next, %n.vec
  br i1 %57, label %middle.block, label %vector.body, !llvm.loop !141

middle.block:                                     ; preds = %vector.body
  %cmp.n = icmp eq i64 %.29.i188.i.i.i.i, %n.vec
  br i1 %cmp.n, label %lay_out_sizes.exit.i.i.i.i, label %B116.i.i.i.i.i.preheader

B116.i.i.i.i.i.preheader:                         ; preds = %vector.memcheck, %B116.lr.ph.i.i.i.i.i, %middle.block
  %.53.02.i.i.i.i.i.ph = phi i64 [ 0, %vector.memcheck ], [ 0, %B116.lr.ph.i.i.i.i.i ], [ %n.vec, %middle.block ]
  br label %B116.i.i.i.i.i

B116.i.i.i.i.i:                                   ; preds = %B116.i.i.i.i.i.preheader, %B116.i.i.i.i.i
  %.53.02.i.i.i.i.i = phi i64 [ %.124.i.i.i.i.i, %B116.i.i.i.i.i ], [ %.53.02.i.i.i.i.i.ph, %B116.i.i.i.i.i.preheader ]
  %.124.i.i.i.i.i = add nuw nsw i64 %.53.02.i.i.i.i.i, 1
  %.152.i189.i.i.i.i = getelementptr i64, ptr %48, i64 %.53.02.i.i.i.i.i
  %.153.i.i.i.i.i = load i64, ptr %.152.i189.i.i.i.i, align 8, !noalias !138
  %.159.i190.i.i.i.i = getelementptr i64, ptr %49, i64 %.53.02.i.i.i.i.i
  store i64 %.153.i.i.i.i.i, ptr %.159.i190.i.i.i.i, align 8, !noalias !138
  %exitcond.not.i191.i.i.i.i = icmp eq i64 %.124.i.i.i.i.i, %.29.i188.i.i.i.i
  br i1 %exitcond.not.i191.i.i.i.i, label %lay_out_sizes.exit.i.i.i.i, label %B116.i.i.i.i.i, !llvm.loop !144

lay_out_sizes.exit.i.i.i.i: ; preds = %B116.i.i.i.i.i, %middle.block, %lay_out.exit181.i.i.i.i
  %.577.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.578.i.i.i.i = load i64, ptr %.577.i.i.i.i, align 8, !noalias !83
  %.585.i.i.i.i = call i32 @PyGILState_Ensure(), !noalias !83
  %.586.i.i.i.i = call i64 @PyLong_FromLongLong(i64 %.582.i.i.i.i), !noalias !83
  %.587.not.i.i.i.i = icmp eq i64 %.586.i.i.i.i, 0
  br i1 %.587.not.i.i.i.i, label %B1594.sink.split.i.i.i.i, label %B1450.endif.endif.if.i.i.i.i

B1594.sink.split.i.i.i.i:                         ; preds = %B1450.endif.endif.if.i.i.i.i, %lay_out_sizes.exit.i.i.i.i
  call void @PyGILState_Release(i32 %.585.i.i.i.i), !noalias !83
  br label %run_steps.exit.i.i.i

B1600.i.i.i.i:                                    ; preds = %B190.i.i.i.i
  %.123.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 168
  %.124.i192.i.i.i.i = load i64, ptr %.123.i.i.i.i.i, align 8, !noalias !145
  %.2041.not.i.i.i.i.i = icmp slt i64 %.124.i192.i.i.i.i, 1
  br i1 %.2041.not.i.i.i.i.i, label %B1634.i.i.i.i, label %B406.lr.ph.i.i.i.i.i

B406.lr.ph.i.i.i.i.i:                             ; preds = %B1600.i.i.i.i
  %.116.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 136
  %.117.i.i.i.i.i = load i64, ptr %.116.i.i.i.i.i, align 8, !noalias !145
  %.88.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 128
  %.89.i.i.i.i.i = load i64, ptr %.88.i.i.i.i.i, align 8, !noalias !145
  %.141.i78.i.i.i.i.i = icmp slt i64 %.89.i.i.i.i.i, 0
  %.33.i75.i.i.i.i.i = sub i64 0, %.89.i.i.i.i.i
  %.37.i76.i.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i75.i.i.i.i.i
  %.20.i77.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.89.i.i.i.i.i
  %storemerge.in.i79.i.i.i.i.i = select i1 %.141.i78.i.i.i.i.i, ptr %.37.i76.i.i.i.i.i, ptr %.20.i77.i.i.i.i.i
  %storemerge.i80.i.i.i.i.i = load i64, ptr %storemerge.in.i79.i.i.i.i.i, align 8, !noalias !148
  %.118.i193.i.i.i.i = add nsw i64 %storemerge.i80.i.i.i.i.i, %.117.i.i.i.i.i
  %.79.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 96
  %.80.i.i.i.i.i = load i64, ptr %.79.i.i.i.i.i, align 8, !noalias !145
  %.51.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 88
  %.52.i194.i.i.i.i = load i64, ptr %.51.i.i.i.i.i, align 8, !noalias !145
  %.141.i72.i.i.i.i.i = icmp slt i64 %.52.i194.i.i.i.i, 0
  %.33.i69.i.i.i.i.i = sub i64 0, %.52.i194.i.i.i.i
  %.37.i70.i.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i69.i.i.i.i.i
  %.20.i71.i.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.52.i194.i.i.i.i
  %storemerge.in.i73.i.i.i.i.i = select i1 %.141.i72.i.i.i.i.i, ptr %.37.i70.i.i.i.i.i, ptr %.20.i71.i.i.i.i.i
  %storemerge.i74.i.i.i.i.i = load i64, ptr %storemerge.in.i73.i.i.i.i.i, align 8, !noalias !151
  %.81.i.i.i.i.i = add nsw i64 %storemerge.i74.i.i.i.i.i, %.80.i.i.i.i.i
  %.42.i195.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 56
  %.43.i196.i.i.i.i = load i64, ptr %.42.i195.i.i.i.i, align 8, !noalias !145
  %.12.i197.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 48
  %.13.i198.i.i.i.i = load i64, ptr %.12.i197.i.i.i.i, align 8, !noalias !145
  %.141.i.i199.i.i.i.i = icmp slt i64 %.13.i198.i.i.i.i, 0
  %.33.i.i200.i.i.i.i = sub i64 0, %.13.i198.i.i.i.i
  %.37.i.i201.i.i.i.i = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i200.i.i.i.i
  %.20.i.i202.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.13.i198.i.i.i.i
  %storemerge.in.i.i203.i.i.i.i = select i1 %.141.i.i199.i.i.i.i, ptr %.37.i.i201.i.i.i.i, ptr %.20.i.i202.i.i.i.i
  %storemerge.i.i204.i.i.i.i = load i64, ptr %storemerge.in.i.i203.i.i.i.i, align 8, !noalias !154
  %.44.i205.i.i.i.i = add nsw i64 %storemerge.i.i204.i.i.i.i, %.43.i196.i.i.i.i
  %.315.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 64
  %.282.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 104
  %.285.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 144
  %.288.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 80
  %.291.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 24
  %.294.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 32
  %.297.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 16
  %.172.i.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 120
  %.181.i.i206.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 40
  %.273.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 72
  %.281.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 112
  %.289.i.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 152
  br label %B406.i.i.i.i.i

B406.i.i.i.i.i:                                   ; preds = %multiply_one.exit.i.i.i.i.i, %B406.lr.ph.i.i.i.i.i
  %.2136.in.i.i.i.i.i = phi i64 [ %.124.i192.i.i.i.i, %B406.lr.ph.i.i.i.i.i ], [ %.2136.i.i.i.i.i, %multiply_one.exit.i.i.i.i.i ]
  %c.2.05.i.i.i.i.i = phi i64 [ %.118.i193.i.i.i.i, %B406.lr.ph.i.i.i.i.i ], [ %.292.i.i38.i.i.i, %multiply_one.exit.i.i.i.i.i ]
  %b.2.04.i.i.i.i.i = phi i64 [ %.81.i.i.i.i.i, %B406.lr.ph.i.i.i.i.i ], [ %.284.i.i.i.i.i, %multiply_one.exit.i.i.i.i.i ]
  %a.2.03.i.i.i.i.i = phi i64 [ %.44.i205.i.i.i.i, %B406.lr.ph.i.i.i.i.i ], [ %.276.i.i.i.i.i, %multiply_one.exit.i.i.i.i.i ]
  %.2136.i.i.i.i.i = add nsw i64 %.2136.in.i.i.i.i.i, -1
  %.18.i.i207.i.i.i.i = load i64, ptr %.62.i.i.i.i, align 8, !noalias !157
  %.316.i.i.i.i.i.i = load i64, ptr %.315.i.i.i.i.i.i, align 8, !noalias !157
  switch i64 %.18.i.i207.i.i.i.i, label %B464.i.i.i.i.i.i [
    i64 1, label %B52.i.i.i.i.i.i
    i64 2, label %B114.i.i.i.i.i.i
    i64 3, label %B176.i.i.i.i.i.i
    i64 4, label %B238.i.i.i.i.i.i
    i64 6, label %B300.i.i.i.i.i.i
    i64 7, label %B362.i.i.i.i.i.i
    i64 8, label %B424.i.i.i.i.i.i
  ]

B52.i.i.i.i.i.i:                                  ; preds = %B406.i.i.i.i.i
  %.34.i.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !157
  %.36.i.i.i.i216.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !157
  %.38.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !157
  %.39.i.i.i.i.i.i = trunc i64 %.38.i.i.i.i.i.i to i32
  %.41.i.i221.i.i.i.i = load i64, ptr %.172.i.i.i.i.i.i, align 8, !noalias !157
  %.42.i.i222.i.i.i.i = trunc i64 %.41.i.i221.i.i.i.i to i32
  %.44.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !157
  %.46.i.i223.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !157
  %.48.i.i224.i.i.i.i = load i64, ptr %.181.i.i206.i.i.i.i, align 8, !noalias !157
  %.50.i.i225.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !157
  %.51.i.i226.i.i.i.i = inttoptr i64 %.50.i.i225.i.i.i.i to ptr
  call void %.51.i.i226.i.i.i.i(i32 101, i32 %.39.i.i.i.i.i.i, i32 %.42.i.i222.i.i.i.i, i64 %.44.i.i.i.i.i.i, i64 %.46.i.i223.i.i.i.i, i64 %.48.i.i224.i.i.i.i, float 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i64 %.316.i.i.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i64 %.34.i.i.i.i.i.i, float 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i64 %.36.i.i.i.i216.i.i), !noalias !157
  br label %multiply_one.exit.i.i.i.i.i

B114.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.75.i.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !157
  %.77.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !157
  %.79.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !157
  %.80.i.i.i.i.i.i = trunc i64 %.79.i.i.i.i.i.i to i32
  %.82.i.i.i.i.i.i = load i64, ptr %.172.i.i.i.i.i.i, align 8, !noalias !157
  %.83.i.i.i.i.i.i = trunc i64 %.82.i.i.i.i.i.i to i32
  %.85.i.i219.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !157
  %.87.i.i.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !157
  %.89.i.i.i.i.i.i = load i64, ptr %.181.i.i206.i.i.i.i, align 8, !noalias !157
  %.91.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !157
  %.92.i.i220.i.i.i.i = inttoptr i64 %.91.i.i.i.i.i.i to ptr
  call void %.92.i.i220.i.i.i.i(i32 101, i32 %.80.i.i.i.i.i.i, i32 %.83.i.i.i.i.i.i, i64 %.85.i.i219.i.i.i.i, i64 %.87.i.i.i.i.i.i, i64 %.89.i.i.i.i.i.i, double 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i64 %.316.i.i.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i64 %.75.i.i.i.i.i.i, double 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i64 %.77.i.i.i.i.i.i), !noalias !157
  br label %multiply_one.exit.i.i.i.i.i

B176.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.115.i.i217.i.i.i.i = trunc i64 %.316.i.i.i.i.i.i to i32
  %.117.i.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !157
  %.118.i.i218.i.i.i.i = trunc i64 %.117.i.i.i.i.i.i to i32
  %.120.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !157
  %.121.i.i.i.i.i.i = trunc i64 %.120.i.i.i.i.i.i to i32
  %.123.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !157
  %.124.i.i.i.i.i.i = trunc i64 %.123.i.i.i.i.i.i to i32
  %.126.i.i.i.i.i.i = load i64, ptr %.172.i.i.i.i.i.i, align 8, !noalias !157
  %.127.i.i.i.i.i.i = trunc i64 %.126.i.i.i.i.i.i to i32
  %.129.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !157
  %.130.i.i.i.i.i.i = trunc i64 %.129.i.i.i.i.i.i to i32
  %.132.i.i.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !157
  %.133.i.i.i.i.i.i = trunc i64 %.132.i.i.i.i.i.i to i32
  %.135.i.i.i.i.i.i = load i64, ptr %.181.i.i206.i.i.i.i, align 8, !noalias !157
  %.136.i.i.i.i.i.i = trunc i64 %.135.i.i.i.i.i.i to i32
  %.138.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !157
  %.139.i.i.i.i215.i.i = inttoptr i64 %.138.i.i.i.i.i.i to ptr
  call void %.139.i.i.i.i215.i.i(i32 101, i32 %.124.i.i.i.i.i.i, i32 %.127.i.i.i.i.i.i, i32 %.130.i.i.i.i.i.i, i32 %.133.i.i.i.i.i.i, i32 %.136.i.i.i.i.i.i, float 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i32 %.115.i.i217.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i32 %.118.i.i218.i.i.i.i, float 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i32 %.121.i.i.i.i.i.i), !noalias !157
  br label %multiply_one.exit.i.i.i.i.i

B238.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.162.i.i.i.i214.i.i = trunc i64 %.316.i.i.i.i.i.i to i32
  %.164.i.i209.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !157
  %.165.i.i.i.i.i.i = trunc i64 %.164.i.i209.i.i.i.i to i32
  %.167.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !157
  %.168.i.i.i.i.i.i = trunc i64 %.167.i.i.i.i.i.i to i32
  %.170.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !157
  %.171.i.i.i.i.i.i = trunc i64 %.170.i.i.i.i.i.i to i32
  %.173.i.i.i.i.i.i = load i64, ptr %.172.i.i.i.i.i.i, align 8, !noalias !157
  %.174.i.i.i.i.i.i = trunc i64 %.173.i.i.i.i.i.i to i32
  %.176.i.i210.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !157
  %.177.i.i211.i.i.i.i = trunc i64 %.176.i.i210.i.i.i.i to i32
  %.179.i.i212.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !157
  %.180.i.i213.i.i.i.i = trunc i64 %.179.i.i212.i.i.i.i to i32
  %.182.i.i214.i.i.i.i = load i64, ptr %.181.i.i206.i.i.i.i, align 8, !noalias !157
  %.183.i.i215.i.i.i.i = trunc i64 %.182.i.i214.i.i.i.i to i32
  %.185.i.i216.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !157
  %.186.i.i.i.i.i.i = inttoptr i64 %.185.i.i216.i.i.i.i to ptr
  call void %.186.i.i.i.i.i.i(i32 101, i32 %.171.i.i.i.i.i.i, i32 %.174.i.i.i.i.i.i, i32 %.177.i.i211.i.i.i.i, i32 %.180.i.i213.i.i.i.i, i32 %.183.i.i215.i.i.i.i, double 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i32 %.162.i.i.i.i214.i.i, i64 %b.2.04.i.i.i.i.i, i32 %.165.i.i.i.i.i.i, double 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i32 %.168.i.i.i.i.i.i), !noalias !157
  br label %multiply_one.exit.i.i.i.i.i

B300.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.210.i.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !157
  %.212.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !157
  %.214.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !157
  %.215.i.i.i.i.i.i = trunc i64 %.214.i.i.i.i.i.i to i32
  %.217.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !157
  %.219.i.i.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !157
  %.221.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !157
  %.222.i.i.i.i.i.i = inttoptr i64 %.221.i.i.i.i.i.i to ptr
  call void %.222.i.i.i.i.i.i(i32 101, i32 %.215.i.i.i.i.i.i, i64 %.217.i.i.i.i.i.i, i64 %.219.i.i.i.i.i.i, float 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i64 %.316.i.i.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i64 %.210.i.i.i.i.i.i, float 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i64 %.212.i.i.i.i.i.i), !noalias !157
  br label %multiply_one.exit.i.i.i.i.i

B362.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.246.i.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !157
  %.248.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !157
  %.250.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !157
  %.251.i.i.i.i.i.i = trunc i64 %.250.i.i.i.i.i.i to i32
  %.253.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !157
  %.255.i.i.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !157
  %.257.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !157
  %.258.i.i.i.i.i.i = inttoptr i64 %.257.i.i.i.i.i.i to ptr
  call void %.258.i.i.i.i.i.i(i32 101, i32 %.251.i.i.i.i.i.i, i64 %.253.i.i.i.i.i.i, i64 %.255.i.i.i.i.i.i, double 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i64 %.316.i.i.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i64 %.246.i.i.i.i.i.i, double 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i64 %.248.i.i.i.i.i.i), !noalias !157
  br label %multiply_one.exit.i.i.i.i.i

B424.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.281.i.i.i.i.i.i = trunc i64 %.316.i.i.i.i.i.i to i32
  %.283.i.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !157
  %.284.i.i.i.i.i.i = trunc i64 %.283.i.i.i.i.i.i to i32
  %.286.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !157
  %.287.i.i.i.i.i.i = trunc i64 %.286.i.i.i.i.i.i to i32
  %.289.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !157
  %.290.i.i.i.i.i.i = trunc i64 %.289.i.i.i.i.i.i to i32
  %.292.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !157
  %.293.i.i.i.i.i.i = trunc i64 %.292.i.i.i.i.i.i to i32
  %.295.i.i.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !157
  %.296.i.i.i.i.i.i = trunc i64 %.295.i.i.i.i.i.i to i32
  %.298.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !157
  %.299.i.i.i.i.i.i = inttoptr i64 %.298.i.i.i.i.i.i to ptr
  call void %.299.i.i.i.i.i.i(i32 101, i32 %.290.i.i.i.i.i.i, i32 %.293.i.i.i.i.i.i, i32 %.296.i.i.i.i.i.i, float 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i32 %.281.i.i.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i32 %.284.i.i.i.i.i.i, float 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i32 %.287.i.i.i.i.i.i), !noalias !157
  br label %multiply_one.exit.i.i.i.i.i

B464.i.i.i.i.i.i:                                 ; preds = %B406.i.i.i.i.i
  %.317.i.i.i.i.i.i = trunc i64 %.316.i.i.i.i.i.i to i32
  %.319.i.i.i.i.i.i = load i64, ptr %.282.i.i.i.i.i.i, align 8, !noalias !157
  %.320.i.i.i.i.i.i = trunc i64 %.319.i.i.i.i.i.i to i32
  %.322.i.i.i.i.i.i = load i64, ptr %.285.i.i.i.i.i.i, align 8, !noalias !157
  %.323.i.i.i.i.i.i = trunc i64 %.322.i.i.i.i.i.i to i32
  %.325.i.i.i.i.i.i = load i64, ptr %.288.i.i.i.i.i.i, align 8, !noalias !157
  %.326.i.i.i.i.i.i = trunc i64 %.325.i.i.i.i.i.i to i32
  %.328.i.i.i.i.i.i = load i64, ptr %.291.i.i.i.i.i.i, align 8, !noalias !157
  %.329.i.i.i.i.i.i = trunc i64 %.328.i.i.i.i.i.i to i32
  %.331.i.i.i.i.i.i = load i64, ptr %.294.i.i.i.i.i.i, align 8, !noalias !157
  %.332.i.i.i.i.i.i = trunc i64 %.331.i.i.i.i.i.i to i32
  %.334.i.i.i.i.i.i = load i64, ptr %.297.i.i.i.i.i.i, align 8, !noalias !157
  %.335.i.i.i.i.i.i = inttoptr i64 %.334.i.i.i.i.i.i to ptr
  call void %.335.i.i.i.i.i.i(i32 101, i32 %.326.i.i.i.i.i.i, i32 %.329.i.i.i.i.i.i, i32 %.332.i.i.i.i.i.i, double 1.000000e+00, i64 %a.2.03.i.i.i.i.i, i32 %.317.i.i.i.i.i.i, i64 %b.2.04.i.i.i.i.i, i32 %.320.i.i.i.i.i.i, double 0.000000e+00, i64 %c.2.05.i.i.i.i.i, i32 %.323.i.i.i.i.i.i), !noalias !157
  br label %multiply_one.exit.i.i.i.i.i

multiply_one.exit.i.i.i.i.i: ; preds = %B464.i.i.i.i.i.i, %B424.i.i.i.i.i.i, %B362.i.i.i.i.i.i, %B300.i.i.i.i.i.i, %B238.i.i.i.i.i.i, %B176.i.i.i.i.i.i, %B114.i.i.i.i.i.i, %B52.i.i.i.i.i.i
  %.274.i.i.i.i.i = load i64, ptr %.273.i.i.i.i.i, align 8, !noalias !145
  %.276.i.i.i.i.i = add nsw i64 %.274.i.i.i.i.i, %a.2.03.i.i.i.i.i
  %.282.i.i37.i.i.i = load i64, ptr %.281.i.i.i.i.i, align 8, !noalias !145
  %.284.i.i.i.i.i = add nsw i64 %.282.i.i37.i.i.i, %b.2.04.i.i.i.i.i
  %.290.i.i.i.i.i = load i64, ptr %.289.i.i.i.i.i, align 8, !noalias !145
  %.292.i.i38.i.i.i = add nsw i64 %.290.i.i.i.i.i, %c.2.05.i.i.i.i.i
  %.204.i208.i.i.i.i = icmp samesign ugt i64 %.2136.in.i.i.i.i.i, 1
  br i1 %.204.i208.i.i.i.i, label %B406.i.i.i.i.i, label %B1634.i.i.i.i

B1634.i.i.i.i.loopexit151.unr-lcssa:              ; preds = %B126.i.i.i.i.i
  %lcmp.mod184.not = icmp eq i64 %xtraiter182, 0
  br i1 %lcmp.mod184.not, label %B1634.i.i.i.i, label %B126.i.i.i.i.i.epil.preheader

B126.i.i.i.i.i.epil.preheader:                    ; preds = %B1634.i.i.i.i.loopexit151.unr-lcssa, %B126.i.i.i.i.i.preheader
  %at.2.03.i.i.i.i.i.epil.init = phi i64 [ 5, %B126.i.i.i.i.i.preheader ], [ %.193.i.i.i.i.i.1, %B1634.i.i.i.i.loopexit151.unr-lcssa ]
  %lcmp.mod185 = icmp ne i64 %xtraiter182, 0
  call void @llvm.assume(i1 %lcmp.mod185)
  %58 = getelementptr i64, ptr %.62.i.i.i.i, i64 %at.2.03.i.i.i.i.i.epil.init
  %.151.i.i22.i.i.i.epil = getelementptr i8, ptr %58, i64 8
  %.152.i.i.i.i.i.epil = load i64, ptr %.151.i.i22.i.i.i.epil, align 8, !noalias !117
  %.33.i.i131.i.i.i.i.epil = sub i64 0, %.152.i.i.i.i.i.epil
  %.37.i.i132.i.i.i.i.epil = getelementptr i64, ptr %.24.i.i.i.i, i64 %.33.i.i131.i.i.i.i.epil
  %.20.i.i133.i.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.152.i.i.i.i.i.epil
  %.141.i.i134.i.i.i.i.epil = icmp slt i64 %.152.i.i.i.i.i.epil, 0
  %storemerge.in.i.i135.i.i.i.i.epil = select i1 %.141.i.i134.i.i.i.i.epil, ptr %.37.i.i132.i.i.i.i.epil, ptr %.20.i.i133.i.i.i.i.epil
  %storemerge.i.i136.i.i.i.i.epil = load i64, ptr %storemerge.in.i.i135.i.i.i.i.epil, align 8, !noalias !120
  %.182.i.i.i197.i.i.epil = getelementptr i8, ptr %58, i64 16
  %.183.i.i.i.i.i.epil = load i64, ptr %.182.i.i.i197.i.i.epil, align 8, !noalias !117
  %.184.i.i.i198.i.i.epil = add nsw i64 %.183.i.i.i.i.i.epil, %storemerge.i.i136.i.i.i.i.epil
  %.188.i.i.i.i.i.epil = load i64, ptr %58, align 8, !noalias !117
  %.190.i.i.i.i.i.epil = getelementptr i64, ptr %.22.i.i, i64 %.188.i.i.i.i.i.epil
  store i64 %.184.i.i.i198.i.i.epil, ptr %.190.i.i.i.i.i.epil, align 8, !noalias !117
  br label %B1634.i.i.i.i

B1634.i.i.i.i:                                    ; preds = %B126.i.i.i.i.i.epil.preheader, %B1634.i.i.i.i.loopexit151.unr-lcssa, %B352.i.i.i.i.i, %B352.us.i.i.i.i.i, %multiply_one.exit.i.i.i.i.i, %B1450.endif.endif.if.if.i.i.i.i, %B1600.i.i.i.i, %jumps.exit.i.i.i.i, %B1150.i.i.i.i, %B1068.i.i.i.i, %B1004.i.i.i.i, %B966.i.i.i.i, %B704.i.i.i.i
  %.658.i.i.i.i = getelementptr i8, ptr %.62.i.i.i.i, i64 8
  %.659.i.i.i.i = load i64, ptr %.658.i.i.i.i, align 8, !noalias !83
  %.662.i.i.i.i = shl nsw i64 %.659.i.i.i.i, 3
  %.664.i.i.i.i = add nsw i64 %.662.i.i.i.i, %position.4.0.i.i.i.i
  %.669.i.i.i.i = load i64, ptr %.5115.i.i.i.i, align 8, !noalias !83
  %.671.i.i.i.i = icmp slt i64 %.67.i.i.i.i, %.669.i.i.i.i
  br i1 %.671.i.i.i.i, label %B190.i.i.i.i.backedge, label %run_steps.exit.i.i.i

B190.i.i.i.i.backedge:                            ; preds = %B1634.i.i.i.i, %B1709.i.i.i.i
  %.5287.i.i.i.i.be = phi i64 [ %.669.i.i.i.i, %B1634.i.i.i.i ], [ %.52.i.i.i.i, %B1709.i.i.i.i ]
  %position.4.0.i.i.i.i.be = phi i64 [ %.664.i.i.i.i, %B1634.i.i.i.i ], [ %storemerge.i18.i.i.i, %B1709.i.i.i.i ]
  %number.6.0.i.i.i.i.be = phi i64 [ %.67.i.i.i.i, %B1634.i.i.i.i ], [ %number.5.0.i.i.i.i, %B1709.i.i.i.i ]
  br label %B190.i.i.i.i

B1709.i.i.i.i:                                    ; preds = %B1330.i.i.i.i, %B1182.i.i.i.i
  %.52.i.i.i.i = phi i64 [ %.52.pre.i.i.i.i, %B1182.i.i.i.i ], [ %.5287.i.i.i.i, %B1330.i.i.i.i ]
  %number.5.0.i.i.i.i = phi i64 [ %.429.i.i.i.i, %B1182.i.i.i.i ], [ %.495.i.i.i.i, %B1330.i.i.i.i ]
  %storemerge.i18.i.i.i = phi i64 [ %.440.i.i.i.i, %B1182.i.i.i.i ], [ %.507.i.i.i.i, %B1330.i.i.i.i ]
  %.54.i.i.i.i = icmp slt i64 %number.5.0.i.i.i.i, %.52.i.i.i.i
  br i1 %.54.i.i.i.i, label %B190.i.i.i.i.backedge, label %run_steps.exit.i.i.i

B1450.endif.endif.if.i.i.i.i:                     ; preds = %lay_out_sizes.exit.i.i.i.i
  %.589.i.i.i.i = call i64 @PyObject_CallOneArg(i64 %.578.i.i.i.i, i64 %.586.i.i.i.i), !noalias !83
  call void @Py_DecRef(i64 %.586.i.i.i.i), !noalias !83
  %.591.not.i.i.i.i = icmp eq i64 %.589.i.i.i.i, 0
  br i1 %.591.not.i.i.i.i, label %B1594.sink.split.i.i.i.i, label %B1450.endif.endif.if.if.i.i.i.i

B1450.endif.endif.if.if.i.i.i.i:                  ; preds = %B1450.endif.endif.if.i.i.i.i
  %.593.i.i.i.i = call i32 @PyObject_IsTrue(i64 %.589.i.i.i.i), !noalias !83
  call void @Py_DecRef(i64 %.589.i.i.i.i), !noalias !83
  %.595.i.i.i.i = call i32 @PyErr_CheckSignals(), !noalias !83
  %.596.i.i.i.i = icmp eq i32 %.595.i.i.i.i, 0
  %59 = icmp eq i32 %.593.i.i.i.i, 1
  %60 = select i1 %.596.i.i.i.i, i1 %59, i1 false
  call void @PyGILState_Release(i32 %.585.i.i.i.i), !noalias !83
  br i1 %60, label %B1634.i.i.i.i, label %run_steps.exit.i.i.i

run_steps.exit.i.i.i: ; preds = %B1709.i.i.i.i, %B1450.endif.endif.if.if.i.i.i.i, %B1634.i.i.i.i, %B1004.i.i.i.i, %B704.i.i.i.i, %bind_row.exit.loopexit.i.i.i.i.i, %B194.us.i.i.i.i.i, %B1594.sink.split.i.i.i.i, %B138.i.i.i
  %.sink.i.i.i.i = phi i1 [ false, %bind_row.exit.loopexit.i.i.i.i.i ], [ true, %B138.i.i.i ], [ false, %B194.us.i.i.i.i.i ], [ false, %B1594.sink.split.i.i.i.i ], [ false, %B704.i.i.i.i ], [ false, %B1450.endif.endif.if.if.i.i.i.i ], [ true, %B1634.i.i.i.i ], [ false, %B1004.i.i.i.i ], [ true, %B1709.i.i.i.i ]
  br i1 %.75.not.i.i.i, label %B208.i.i.i, label %B178.i.i.i

B178.i.i.i:                                       ; preds = %run_steps.exit.i.i.i
  %.131.i.i.i = call ptr @PyEval_RestoreThread(i64 %storemerge.i185.i.i), !noalias !82
  br label %B208.i.i.i

B208.i.i.i:                                       ; preds = %B178.i.i.i, %run_steps.exit.i.i.i
  %.32.i46.i.i.i = load i64, ptr %.25.i.i.i.i, align 8, !noalias !82
  %.1148.not.i.i.i.i = icmp slt i64 %.32.i46.i.i.i, 1
  br i1 %.sink.i.i.i.i, label %B410.i.i.i, label %B220.i.i.i

B220.i.i.i:                                       ; preds = %B208.i.i.i
  br i1 %.1148.not.i.i.i.i, label %drop.exit.i.i.i, label %B104.preheader.i.i.i.i

B104.preheader.i.i.i.i:                           ; preds = %B220.i.i.i
  %.11.i39.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !160
  %.12.i.i.i.i = shl nsw i64 %.11.i39.i.i.i, 3
  %.13.i.i.i.i = add nsw i64 %.12.i.i.i.i, %.12.i
  br label %B104.i.i.i.i

B104.i.i.i.i:                                     ; preds = %B216.i.i.i.i, %B104.preheader.i.i.i.i
  %.1074.in.i.i.i.i = phi i64 [ %.1074.i.i.i.i, %B216.i.i.i.i ], [ %.32.i46.i.i.i, %B104.preheader.i.i.i.i ]
  %position.2.03.i.i.i.i = phi i64 [ %.167.i.i.i.i, %B216.i.i.i.i ], [ %.13.i.i.i.i, %B104.preheader.i.i.i.i ]
  %.1074.i.i.i.i = add nsw i64 %.1074.in.i.i.i.i, -1
  %.137.i.i.i.i = inttoptr i64 %position.2.03.i.i.i.i to ptr
  %.142.i.i.i.i = getelementptr i8, ptr %.137.i.i.i.i, i64 16
  %.143.i.i186.i.i = load i64, ptr %.142.i.i.i.i, align 8, !noalias !160
  %.145.i40.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i186.i.i
  %.146.i41.i.i.i = load i64, ptr %.145.i40.i.i.i, align 8, !noalias !160
  %.151.not.i.i.i.i = icmp eq i64 %.146.i41.i.i.i, 0
  br i1 %.151.not.i.i.i.i, label %B216.i.i.i.i, label %B186.i.i187.i.i

B186.i.i187.i.i:                                  ; preds = %B104.i.i.i.i
  %.154.i.i.i.i = call ptr @Py_DecRef(i64 %.146.i41.i.i.i), !noalias !160
  br label %B216.i.i.i.i

B216.i.i.i.i:                                     ; preds = %B186.i.i187.i.i, %B104.i.i.i.i
  %.161.i.i.i.i = getelementptr i8, ptr %.137.i.i.i.i, i64 8
  %.162.i42.i.i.i = load i64, ptr %.161.i.i.i.i, align 8, !noalias !160
  %.165.i.i.i.i = shl nsw i64 %.162.i42.i.i.i, 3
  %.167.i.i.i.i = add nsw i64 %.165.i.i.i.i, %position.2.03.i.i.i.i
  %.98.i.i.i.i = icmp samesign ugt i64 %.1074.in.i.i.i.i, 1
  br i1 %.98.i.i.i.i, label %B104.i.i.i.i, label %drop.exit.i.i.i

drop.exit.i.i.i: ; preds = %B216.i.i.i.i, %B220.i.i.i
  %.180.i.i.i = call i64 @PyErr_Occurred(), !noalias !82
  %.181.not.i.i.i = icmp eq i64 %.180.i.i.i, 0
  br i1 %.181.not.i.i.i, label %B316.i.i.i, label %executed.exit.i.i

B316.i.i.i:                                       ; preds = %drop.exit.i.i.i
  %.189.i.i.i = load i64, ptr %.368.i.i, align 8, !noalias !82
  %.190.i.i.i = add nsw i64 %.189.i.i.i, -1
  store i64 %.190.i.i.i, ptr %.368.i.i, align 8, !noalias !82
  %.196.i.i.i = getelementptr i8, ptr %.17.i, i64 32
  %.197.i188.i.i = load i64, ptr %.196.i.i.i, align 8, !noalias !82
  %.5.i.i.i.i = call ptr @Py_IncRef(i64 %.197.i188.i.i), !noalias !163
  br label %executed.exit.i.i

B410.i.i.i:                                       ; preds = %B208.i.i.i
  br i1 %.1148.not.i.i.i.i, label %B450.i.i.i, label %B126.lr.ph.i47.i.i.i

B126.lr.ph.i47.i.i.i:                             ; preds = %B410.i.i.i
  %.23.i48.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !166
  %.24.i49.i.i.i = shl nsw i64 %.23.i48.i.i.i, 3
  %.26.i50.i.i.i = add nsw i64 %.24.i49.i.i.i, %.12.i
  %.95.i.i.i.i.i = getelementptr i8, ptr %.17.i, i64 48
  br label %B126.i51.i.i.i

B126.i51.i.i.i:                                   ; preds = %B550.i.i.i.i, %B126.lr.ph.i47.i.i.i
  %.12311.in.i.i.i.i = phi i64 [ %.32.i46.i.i.i, %B126.lr.ph.i47.i.i.i ], [ %.12311.i.i.i.i, %B550.i.i.i.i ]
  %position.2.010.i.i.i.i = phi i64 [ %.26.i50.i.i.i, %B126.lr.ph.i47.i.i.i ], [ %.345.i.i.i.i, %B550.i.i.i.i ]
  %.12311.i.i.i.i = add nsw i64 %.12311.in.i.i.i.i, -1
  %.153.i.i.i.i = inttoptr i64 %position.2.010.i.i.i.i to ptr
  %.159.i.i.i.i = load i64, ptr %.153.i.i.i.i, align 8, !noalias !166
  %.164.i.i189.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 16
  %.165.i52.i.i.i = load i64, ptr %.164.i.i189.i.i, align 8, !noalias !166
  %.167.i53.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.165.i52.i.i.i
  %.168.i.i.i.i = load i64, ptr %.167.i53.i.i.i, align 8, !noalias !166
  switch i64 %.159.i.i.i.i, label %B476.i.i.i.i [
    i64 1, label %B244.i.i.i.i
    i64 2, label %B352.i.i.i.i
    i64 3, label %B412.i.i.i.i
  ]

B244.i.i.i.i:                                     ; preds = %B126.i51.i.i.i
  %.180.i.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 64
  %.181.i.i.i.i = load i64, ptr %.180.i.i.i.i, align 8, !noalias !166
  %.183.i.i.i.i = add nsw i64 %.181.i.i.i.i, %frame_address.0.i
  %.185.i.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 32
  %.186.i.i.i.i = load i64, ptr %.185.i.i.i.i, align 8, !noalias !166
  %.187.i.i.i.i = call i64 @guardlift_scalar_new(i64 %.183.i.i.i.i, i64 %.186.i.i.i.i, i64 0), !noalias !166
  br label %B476.i.i.i.i

B352.i.i.i.i:                                     ; preds = %B126.i51.i.i.i
  %.22.i.i79.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 48
  %.23.i.i80.i.i.i = load i64, ptr %.22.i.i79.i.i.i, align 8, !noalias !169
  %.24.i.i81.i.i.i = icmp sgt i64 %.23.i.i80.i.i.i, -1
  br i1 %.24.i.i81.i.i.i, label %B68.i.i.i.i.i, label %B108.i.i.i.i.i

B68.i.i.i.i.i:                                    ; preds = %B352.i.i.i.i
  %.30.i.i98.i.i.i = getelementptr i64, ptr %.2, i64 %.23.i.i80.i.i.i
  br label %B146.i.i.i.i.i

B108.i.i.i.i.i:                                   ; preds = %B352.i.i.i.i
  %.41.i.i82.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 56
  %.42.i.i83.i.i.i = load i64, ptr %.41.i.i82.i.i.i, align 8, !noalias !169
  %.44.i.i84.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.42.i.i83.i.i.i
  br label %B146.i.i.i.i.i

B146.i.i.i.i.i:                                   ; preds = %B108.i.i.i.i.i, %B68.i.i.i.i.i
  %storemerge.in.i.i.i.i.i = phi ptr [ %.44.i.i84.i.i.i, %B108.i.i.i.i.i ], [ %.30.i.i98.i.i.i, %B68.i.i.i.i.i ]
  %storemerge.i.i85.i.i.i = load i64, ptr %storemerge.in.i.i.i.i.i, align 8, !noalias !169
  %.50.i.i86.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 32
  %.51.i.i87.i.i.i = load i64, ptr %.50.i.i86.i.i.i, align 8, !noalias !169
  %.55.i.i.i.i.i = icmp eq i64 %.51.i.i87.i.i.i, 0
  br i1 %.55.i.i.i.i.i, label %B184.i.i.i.i.i, label %B242.i.i.i.i.i

B184.i.i.i.i.i:                                   ; preds = %B146.i.i.i.i.i
  %.58.i.i97.i.i.i = add nsw i64 %storemerge.i.i85.i.i.i, 56
  %.59.i.i.i.i.i = inttoptr i64 %.58.i.i97.i.i.i to ptr
  %.61.i.i.i.i.i = load i64, ptr %.59.i.i.i.i.i, align 8, !noalias !169
  br label %B242.i.i.i.i.i

B242.i.i.i.i.i:                                   ; preds = %B184.i.i.i.i.i, %B146.i.i.i.i.i
  %descriptor.2.0.i.i.i.i.i = phi i64 [ %.61.i.i.i.i.i, %B184.i.i.i.i.i ], [ %.51.i.i87.i.i.i, %B146.i.i.i.i.i ]
  %.66.i.i88.i.i.i = call ptr @Py_IncRef(i64 %descriptor.2.0.i.i.i.i.i), !noalias !169
  %.69.i.i89.i.i.i = add nsw i64 %position.2.010.i.i.i.i, 72
  %.73.i.i.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 40
  %.74.i.i.i.i.i = load i64, ptr %.73.i.i.i.i.i, align 8, !noalias !169
  %.76.i.i.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 24
  %.77.i.i.i.i.i = load i64, ptr %.76.i.i.i.i.i, align 8, !noalias !169
  %.79.i.i90.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.77.i.i.i.i.i
  %.80.i.i91.i.i.i = load i64, ptr %.79.i.i90.i.i.i, align 8, !noalias !169
  %.84.i.i92.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 64
  %.85.i.i.i191.i.i = load i64, ptr %.84.i.i92.i.i.i, align 8, !noalias !169
  %.88.i.i93.i.i.i = add nsw i64 %.85.i.i.i191.i.i, %.80.i.i91.i.i.i
  %.90.i.i.i.i.i = add nsw i64 %storemerge.i.i85.i.i.i, 64
  %.91.i.i.i.i.i = inttoptr i64 %.90.i.i.i.i.i to ptr
  %.93.i.i.i192.i.i = load i32, ptr %.91.i.i.i.i.i, align 4, !noalias !169
  %.96.i.i.i.i.i = load i64, ptr %.95.i.i.i.i.i, align 8, !noalias !169
  %.99.i.i.i.i.i = shl nsw i64 %.74.i.i.i.i.i, 3
  %.100.i.i94.i.i.i = add nsw i64 %.99.i.i.i.i.i, %.69.i.i89.i.i.i
  %.102.i.i.i.i.i = trunc i64 %.74.i.i.i.i.i to i32
  %.103.i.i.i.i.i = call i64 @guardlift_array_new(i64 %.96.i.i.i.i.i, i64 %descriptor.2.0.i.i.i.i.i, i32 %.102.i.i.i.i.i, i64 %.69.i.i89.i.i.i, i64 %.100.i.i94.i.i.i, i64 %.88.i.i93.i.i.i, i32 %.93.i.i.i192.i.i, i64 0), !noalias !169
  %.110.i.i.i.i.i = icmp eq i64 %.103.i.i.i.i.i, 0
  br i1 %.110.i.i.i.i.i, label %B488.i.i.i.i, label %B542.i.i.i.i.i

B542.i.i.i.i.i:                                   ; preds = %B242.i.i.i.i.i
  %.5.i.i.i.i.i.i = call ptr @Py_IncRef(i64 %storemerge.i.i85.i.i.i), !noalias !172
  %.149.i.i.i.i.i = call i32 @guardlift_array_set_base(i64 %.103.i.i.i.i.i, i64 %storemerge.i.i85.i.i.i), !noalias !169
  %.151.not.i.i95.i.i.i = icmp eq i32 %.149.i.i.i.i.i, 0
  br i1 %.151.not.i.i95.i.i.i, label %B550.i.i.i.i, label %B608.i.i.i.i.i

B608.i.i.i.i.i:                                   ; preds = %B542.i.i.i.i.i
  %.154.i.i96.i.i.i = call ptr @Py_DecRef(i64 %.103.i.i.i.i.i), !noalias !169
  br label %B488.i.i.i.i

B412.i.i.i.i:                                     ; preds = %B126.i51.i.i.i
  %.243.i.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 24
  %.244.i.i.i.i = load i64, ptr %.243.i.i.i.i, align 8, !noalias !166
  %.246.i54.i.i.i = getelementptr i64, ptr %.2, i64 %.244.i.i.i.i
  %.247.i55.i.i.i = load i64, ptr %.246.i54.i.i.i, align 8, !noalias !166
  %.5.i.i.i.i.i = call ptr @Py_IncRef(i64 %.247.i55.i.i.i), !noalias !175
  br label %B476.i.i.i.i

B476.i.i.i.i:                                     ; preds = %B412.i.i.i.i, %B244.i.i.i.i, %B126.i51.i.i.i
  %made.4.0.i.i.i.i = phi i64 [ %.187.i.i.i.i, %B244.i.i.i.i ], [ %.168.i.i.i.i, %B126.i51.i.i.i ], [ %.247.i55.i.i.i, %B412.i.i.i.i ]
  %.276.i.i.i.i = icmp eq i64 %made.4.0.i.i.i.i, 0
  br i1 %.276.i.i.i.i, label %B488.i.i.i.i, label %B550.i.i.i.i

B488.i.i.i.i:                                     ; preds = %B476.i.i.i.i, %B242.i.i.i.i.i, %B608.i.i.i.i.i
  %.293.i.i.i.i = load i64, ptr %.25.i.i.i.i, align 8, !noalias !166
  %.981.not.i.i58.i.i.i = icmp slt i64 %.293.i.i.i.i, 1
  br i1 %.981.not.i.i58.i.i.i, label %executed.exit.i.i, label %B104.preheader.i.i59.i.i.i

B104.preheader.i.i59.i.i.i:                       ; preds = %B488.i.i.i.i
  %.11.i.i60.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !178
  %.12.i.i61.i.i.i = shl nsw i64 %.11.i.i60.i.i.i, 3
  %.13.i.i62.i.i.i = add nsw i64 %.12.i.i61.i.i.i, %.12.i
  br label %B104.i.i63.i.i.i

B104.i.i63.i.i.i:                                 ; preds = %B216.i.i73.i.i.i, %B104.preheader.i.i59.i.i.i
  %.1074.in.i.i64.i.i.i = phi i64 [ %.1074.i.i66.i.i.i, %B216.i.i73.i.i.i ], [ %.293.i.i.i.i, %B104.preheader.i.i59.i.i.i ]
  %position.2.03.i.i65.i.i.i = phi i64 [ %.167.i.i77.i.i.i, %B216.i.i73.i.i.i ], [ %.13.i.i62.i.i.i, %B104.preheader.i.i59.i.i.i ]
  %.1074.i.i66.i.i.i = add nsw i64 %.1074.in.i.i64.i.i.i, -1
  %.137.i.i67.i.i.i = inttoptr i64 %position.2.03.i.i65.i.i.i to ptr
  %.142.i.i68.i.i.i = getelementptr i8, ptr %.137.i.i67.i.i.i, i64 16
  %.143.i.i69.i.i.i = load i64, ptr %.142.i.i68.i.i.i, align 8, !noalias !178
  %.145.i.i70.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i69.i.i.i
  %.146.i.i71.i.i.i = load i64, ptr %.145.i.i70.i.i.i, align 8, !noalias !178
  %.151.not.i74.i.i.i.i = icmp eq i64 %.146.i.i71.i.i.i, 0
  br i1 %.151.not.i74.i.i.i.i, label %B216.i.i73.i.i.i, label %B186.i.i72.i.i.i

B186.i.i72.i.i.i:                                 ; preds = %B104.i.i63.i.i.i
  %.154.i75.i.i.i.i = call ptr @Py_DecRef(i64 %.146.i.i71.i.i.i), !noalias !178
  br label %B216.i.i73.i.i.i

B216.i.i73.i.i.i:                                 ; preds = %B186.i.i72.i.i.i, %B104.i.i63.i.i.i
  %.161.i.i74.i.i.i = getelementptr i8, ptr %.137.i.i67.i.i.i, i64 8
  %.162.i.i75.i.i.i = load i64, ptr %.161.i.i74.i.i.i, align 8, !noalias !178
  %.165.i.i76.i.i.i = shl nsw i64 %.162.i.i75.i.i.i, 3
  %.167.i.i77.i.i.i = add nsw i64 %.165.i.i76.i.i.i, %position.2.03.i.i65.i.i.i
  %.98.i.i78.i.i.i = icmp samesign ugt i64 %.1074.in.i.i64.i.i.i, 1
  br i1 %.98.i.i78.i.i.i, label %B104.i.i63.i.i.i, label %executed.exit.i.i

B550.i.i.i.i:                                     ; preds = %B476.i.i.i.i, %B542.i.i.i.i.i
  %made.4.06.i.i.i.i = phi i64 [ %made.4.0.i.i.i.i, %B476.i.i.i.i ], [ %.103.i.i.i.i.i, %B542.i.i.i.i.i ]
  %.331.i.i.i.i = load i64, ptr %.164.i.i189.i.i, align 8, !noalias !166
  %.334.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.331.i.i.i.i
  store i64 %made.4.06.i.i.i.i, ptr %.334.i.i.i.i, align 8, !noalias !166
  %.339.i.i.i.i = getelementptr i8, ptr %.153.i.i.i.i, i64 8
  %.340.i.i.i.i = load i64, ptr %.339.i.i.i.i, align 8, !noalias !166
  %.343.i.i.i.i = shl nsw i64 %.340.i.i.i.i, 3
  %.345.i.i.i.i = add nsw i64 %.343.i.i.i.i, %position.2.010.i.i.i.i
  %.114.i56.i.i.i = icmp samesign ugt i64 %.12311.in.i.i.i.i, 1
  br i1 %.114.i56.i.i.i, label %B126.i51.i.i.i, label %B450.i.i.i

B450.i.i.i:                                       ; preds = %B550.i.i.i.i, %B410.i.i.i
  %.16.i100.i.i.i = getelementptr i8, ptr %.17.i, i64 80
  %.17.i101.i.i.i = load i64, ptr %.16.i100.i.i.i, align 8, !noalias !181
  %.22.i102.i.i.i = icmp eq i64 %.17.i101.i.i.i, 0
  br i1 %.22.i102.i.i.i, label %B82.i.i.i.i, label %B134.i.i.i.i

B82.i.i.i.i:                                      ; preds = %B450.i.i.i
  %.32.i129.i.i.i = getelementptr i8, ptr %.17.i, i64 40
  %.33.i.i190.i.i = load i64, ptr %.32.i129.i.i.i, align 8, !noalias !181
  %.5.i.i130.i.i.i = call ptr @Py_IncRef(i64 %.33.i.i190.i.i), !noalias !184
  br label %executed.exit.i.i

B134.i.i.i.i:                                     ; preds = %B450.i.i.i
  %.66.i.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !181
  %.67.i103.i.i.i = shl nsw i64 %.66.i.i.i.i, 3
  %.69.i.i.i.i = add nsw i64 %.67.i103.i.i.i, %.12.i
  %.74.i.i.i.i = icmp eq i64 %.17.i101.i.i.i, 1
  br i1 %.74.i.i.i.i, label %B194.i.i.i.i, label %B258.i.i.i.i

B194.i.i.i.i:                                     ; preds = %B134.i.i.i.i
  %.83.i.i.i.i = inttoptr i64 %.69.i.i.i.i to ptr
  %.86.i.i.i.i = getelementptr i8, ptr %.83.i.i.i.i, i64 16
  %.87.i.i.i.i = load i64, ptr %.86.i.i.i.i, align 8, !noalias !181
  %.89.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.87.i.i.i.i
  %.90.i.i.i.i = load i64, ptr %.89.i.i.i.i, align 8, !noalias !181
  br label %executed.exit.i.i

B258.i.i.i.i:                                     ; preds = %B134.i.i.i.i
  %.97.i.i.i.i = load i64, ptr %.25.i.i.i.i, align 8, !noalias !181
  %.104.i.i.i.i = call i64 @PyTuple_New(i64 %.97.i.i.i.i), !noalias !181
  %.109.i.i.i.i = icmp eq i64 %.104.i.i.i.i, 0
  %.981.not.i.i104.i.i.i = icmp slt i64 %.97.i.i.i.i, 1
  br i1 %.109.i.i.i.i, label %B326.i.i.i.i, label %B364.endif.i.i.i.i

B326.i.i.i.i:                                     ; preds = %B258.i.i.i.i
  br i1 %.981.not.i.i104.i.i.i, label %executed.exit.i.i, label %B104.preheader.i.i107.i.i.i

B104.preheader.i.i107.i.i.i:                      ; preds = %B326.i.i.i.i
  %.11.i.i108.i.i.i = load i64, ptr %.16.i.i183.i.i, align 8, !noalias !187
  %.12.i.i109.i.i.i = shl nsw i64 %.11.i.i108.i.i.i, 3
  %.13.i.i110.i.i.i = add nsw i64 %.12.i.i109.i.i.i, %.12.i
  br label %B104.i.i111.i.i.i

B104.i.i111.i.i.i:                                ; preds = %B216.i.i123.i.i.i, %B104.preheader.i.i107.i.i.i
  %.1074.in.i.i112.i.i.i = phi i64 [ %.1074.i.i114.i.i.i, %B216.i.i123.i.i.i ], [ %.97.i.i.i.i, %B104.preheader.i.i107.i.i.i ]
  %position.2.03.i.i113.i.i.i = phi i64 [ %.167.i.i127.i.i.i, %B216.i.i123.i.i.i ], [ %.13.i.i110.i.i.i, %B104.preheader.i.i107.i.i.i ]
  %.1074.i.i114.i.i.i = add nsw i64 %.1074.in.i.i112.i.i.i, -1
  %.137.i.i115.i.i.i = inttoptr i64 %position.2.03.i.i113.i.i.i to ptr
  %.142.i.i116.i.i.i = getelementptr i8, ptr %.137.i.i115.i.i.i, i64 16
  %.143.i.i117.i.i.i = load i64, ptr %.142.i.i116.i.i.i, align 8, !noalias !187
  %.145.i.i118.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.143.i.i117.i.i.i
  %.146.i.i119.i.i.i = load i64, ptr %.145.i.i118.i.i.i, align 8, !noalias !187
  %.151.not.i.i120.i.i.i = icmp eq i64 %.146.i.i119.i.i.i, 0
  br i1 %.151.not.i.i120.i.i.i, label %B216.i.i123.i.i.i, label %B186.i.i121.i.i.i

B186.i.i121.i.i.i:                                ; preds = %B104.i.i111.i.i.i
  %.154.i.i122.i.i.i = call ptr @Py_DecRef(i64 %.146.i.i119.i.i.i), !noalias !187
  br label %B216.i.i123.i.i.i

B216.i.i123.i.i.i:                                ; preds = %B186.i.i121.i.i.i, %B104.i.i111.i.i.i
  %.161.i.i124.i.i.i = getelementptr i8, ptr %.137.i.i115.i.i.i, i64 8
  %.162.i.i125.i.i.i = load i64, ptr %.161.i.i124.i.i.i, align 8, !noalias !187
  %.165.i.i126.i.i.i = shl nsw i64 %.162.i.i125.i.i.i, 3
  %.167.i.i127.i.i.i = add nsw i64 %.165.i.i126.i.i.i, %position.2.03.i.i113.i.i.i
  %.98.i.i128.i.i.i = icmp samesign ugt i64 %.1074.in.i.i112.i.i.i, 1
  br i1 %.98.i.i128.i.i.i, label %B104.i.i111.i.i.i, label %executed.exit.i.i

B396.i.i.i.i:                                     ; preds = %B364.endif.i.i.i.i, %B396.i.i.i.i
  %position.2.04.i.i.i.i = phi i64 [ %.292.i.i.i.i, %B396.i.i.i.i ], [ %.69.i.i.i.i, %B364.endif.i.i.i.i ]
  %.185.02.i.i.i.i = phi i64 [ %.254.i.i.i.i, %B396.i.i.i.i ], [ 0, %B364.endif.i.i.i.i ]
  %.254.i.i.i.i = add nuw nsw i64 %.185.02.i.i.i.i, 1
  %.280.i.i.i.i = inttoptr i64 %position.2.04.i.i.i.i to ptr
  %.281.i.i.i.i = getelementptr i8, ptr %.280.i.i.i.i, i64 16
  %.282.i.i.i.i = load i64, ptr %.281.i.i.i.i, align 8, !noalias !181
  %.284.i.i.i.i = getelementptr i64, ptr %.22.i.i, i64 %.282.i.i.i.i
  %.285.i.i.i.i = load i64, ptr %.284.i.i.i.i, align 8, !noalias !181
  %.287.i.i.i.i = call i32 @PyTuple_SetItem(i64 %.104.i.i.i.i, i64 %.185.02.i.i.i.i, i64 %.285.i.i.i.i), !noalias !181
  %.288.i.i.i.i = getelementptr i8, ptr %.280.i.i.i.i, i64 8
  %.289.i.i.i.i = load i64, ptr %.288.i.i.i.i, align 8, !noalias !181
  %.290.i.i.i.i = shl nsw i64 %.289.i.i.i.i, 3
  %.292.i.i.i.i = add nsw i64 %.290.i.i.i.i, %position.2.04.i.i.i.i
  %exitcond.not.i105.i.i.i = icmp eq i64 %.97.i.i.i.i, %.254.i.i.i.i
  br i1 %exitcond.not.i105.i.i.i, label %executed.exit.i.i, label %B396.i.i.i.i

B364.endif.i.i.i.i:                               ; preds = %B258.i.i.i.i
  br i1 %.981.not.i.i104.i.i.i, label %executed.exit.i.i, label %B396.i.i.i.i

executed.exit.i.i: ; preds = %B216.i.i.i.i.i, %B216.i.i73.i.i.i, %B396.i.i.i.i, %B216.i.i123.i.i.i, %B364.endif.i.i.i.i, %B326.i.i.i.i, %B194.i.i.i.i, %B82.i.i.i.i, %B488.i.i.i.i, %B316.i.i.i, %drop.exit.i.i.i, %B278.i.i.i.i
  %.sink.i106.sink.i.i.i = phi i64 [ 0, %B488.i.i.i.i ], [ %.197.i188.i.i, %B316.i.i.i ], [ 0, %drop.exit.i.i.i ], [ 0, %B278.i.i.i.i ], [ 0, %B216.i.i73.i.i.i ], [ %.104.i.i.i.i, %B396.i.i.i.i ], [ %.90.i.i.i.i, %B194.i.i.i.i ], [ %.33.i.i190.i.i, %B82.i.i.i.i ], [ 0, %B326.i.i.i.i ], [ %.104.i.i.i.i, %B364.endif.i.i.i.i ], [ 0, %B216.i.i123.i.i.i ], [ 0, %B216.i.i.i.i.i ]
  br i1 %.203.not.i.i, label %B816.i.i, label %B786.i.i

B786.i.i:                                         ; preds = %executed.exit.i.i
  %.5.i226.i.i = inttoptr i64 %.198.i.i to ptr
  %.10.i.i.i = getelementptr i8, ptr %.5.i226.i.i, i64 336
  %.11.i227.i.i = load i64, ptr %.10.i.i.i, align 8, !noalias !190
  %.12.i.i17.i = add nsw i64 %.11.i227.i.i, -1
  store i64 %.12.i.i17.i, ptr %.10.i.i.i, align 8, !noalias !190
  %.19.i.i.i = icmp eq i64 %.12.i.i17.i, 0
  br i1 %.19.i.i.i, label %B110.i.i.i, label %B816.i.i

B110.i.i.i:                                       ; preds = %B786.i.i
  %.22.i228.i.i = getelementptr i8, ptr %.5.i226.i.i, i64 344
  %.23.i229.i.i = load i64, ptr %.22.i228.i.i, align 8, !noalias !190
  %.24.not.i230.i.i = icmp eq i64 %.23.i229.i.i, 0
  br i1 %.24.not.i230.i.i, label %B816.i.i, label %B144.i.i.i

B144.i.i.i:                                       ; preds = %B110.i.i.i, %B364.i.i.i
  %.31.i.i.i = phi i64 [ %.50.i.i.i, %B364.i.i.i ], [ %.23.i229.i.i, %B110.i.i.i ]
  %.32.i.i.i = inttoptr i64 %.31.i.i.i to ptr
  %.34.i.i.i = load i64, ptr %.32.i.i.i, align 8, !noalias !190
  store i64 %.34.i.i.i, ptr %.22.i228.i.i, align 8, !noalias !190
  %.39.i.i18.i = getelementptr i8, ptr %.32.i.i.i, i64 8
  %.40.i.i.i = load i64, ptr %.39.i.i18.i, align 8, !noalias !190
  %.41.i.i.i = call ptr @PyMem_RawFree(i64 %.31.i.i.i), !noalias !190
  %.42.i.i.i = call ptr @Py_DecRef(i64 %.40.i.i.i), !noalias !190
  %.45.i.i19.i = load i64, ptr %.10.i.i.i, align 8, !noalias !190
  %.46.i.i20.i = icmp eq i64 %.45.i.i19.i, 0
  br i1 %.46.i.i20.i, label %B364.i.i.i, label %B816.i.i

B364.i.i.i:                                       ; preds = %B144.i.i.i
  %.50.i.i.i = load i64, ptr %.22.i228.i.i, align 8, !noalias !190
  %.51.not.i.i.i = icmp eq i64 %.50.i.i.i, 0
  br i1 %.51.not.i.i.i, label %B816.i.i, label %B144.i.i.i

B816.i.i:                                         ; preds = %B364.i.i.i, %B144.i.i.i, %B110.i.i.i, %B786.i.i, %executed.exit.i.i
  %.596.i.i = load i64, ptr %.381.i.i, align 8, !noalias !18
  %.67856.not.i.i = icmp slt i64 %.596.i.i, 1
  br i1 %.67856.not.i.i, label %run.exit.i, label %B870.lr.ph.i.i

B870.lr.ph.i.i:                                   ; preds = %B816.i.i
  %61 = getelementptr i64, ptr %.22.i.i, i64 %.376.i.i
  br label %B870.i.i

B870.i.i:                                         ; preds = %B870.i.i, %B870.lr.ph.i.i
  %.622.057.i.i = phi i64 [ 0, %B870.lr.ph.i.i ], [ %.691.i.i, %B870.i.i ]
  %.691.i.i = add nuw nsw i64 %.622.057.i.i, 1
  %.719.i.i = getelementptr i64, ptr %61, i64 %.622.057.i.i
  %.720.i.i = load i64, ptr %.719.i.i, align 8, !noalias !18
  %.721.i.i = call ptr @Py_DecRef(i64 %.720.i.i), !noalias !18
  %exitcond93.not.i.i = icmp eq i64 %.691.i.i, %.596.i.i
  br i1 %exitcond93.not.i.i, label %run.exit.i, label %B870.i.i

common.ret.sink.split.i.i:                        ; preds = %B286.i.i.i.i.i, %overlapping.exit.i.i, %B780.i.i.i, %watched_slots_fit.exit.i.i, %B226.i.i, %B142.i.i
  %.337.i.i = getelementptr i8, ptr %.17.i, i64 24
  %.338.i.i = load i64, ptr %.337.i.i, align 8, !noalias !18
  %.5.i181.i.i = call ptr @Py_IncRef(i64 %.338.i.i), !noalias !18
  br label %run.exit.i

run.exit.i: ; preds = %B870.i.i, %common.ret.sink.split.i.i, %B816.i.i
  %.338.sink.i.i = phi i64 [ %.338.i.i, %common.ret.sink.split.i.i ], [ %.sink.i106.sink.i.i.i, %B816.i.i ], [ %.sink.i106.sink.i.i.i, %B870.i.i ]
  br i1 %.139.i, label %launch.exit, label %B538.i

B538.i:                                           ; preds = %run.exit.i
  %.225.i = getelementptr i8, ptr %.17.i, i64 264
  %.226.i = load i64, ptr %.225.i, align 8, !noalias !0
  %.227.i = inttoptr i64 %.226.i to ptr
  %.229.i = load i64, ptr %.227.i, align 8, !noalias !0
  store i64 %.229.i, ptr %.22.i.i, align 8, !noalias !0
  store i64 %frame_address.0.i, ptr %.227.i, align 8, !noalias !0
  br label %launch.exit

launch.exit: ; preds = %B126.i, %B240.i, %B300.i, %B470.i, %run.exit.i, %B538.i
  %.109.sink.i = phi i64 [ %.109.i, %B300.i ], [ %.29.i, %B126.i ], [ 0, %B240.i ], [ %.187.i, %B470.i ], [ %.338.sink.i.i, %run.exit.i ], [ %.338.sink.i.i, %B538.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.58.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %.145.i)
  ret i64 %.109.sink.i
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
  %.84 = alloca ptr, align 8
  store ptr null, ptr %.84, align 8
  %.306 = alloca ptr, align 8
  store ptr null, ptr %.306, align 8
  %.11 = inttoptr i64 %arg.team_address to ptr
  %.16 = inttoptr i64 %arg.job_address to ptr
  %.24 = getelementptr i8, ptr %.16, i64 8
  %.27 = getelementptr i8, ptr %.11, i64 8
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.16, i8 0, i64 16, i1 false)
  %.28 = load i64, ptr %.27, align 8
  %.30 = getelementptr i8, ptr %.16, i64 16
  %.31 = load i64, ptr %.30, align 8
  %.11.i = tail call i64 @llvm.smin.i64(i64 %.31, i64 %.28)
  %.62 = add nsw i64 %.11.i, -1
  %.67 = icmp slt i64 %.11.i, 2
  br i1 %.67, label %B254, label %B198

B198:                                             ; preds = %B0
  %.71 = add nsw i64 %arg.team_address, 192
  %.72 = inttoptr i64 %.71 to ptr
  %.73 = cmpxchg ptr %.72, i64 0, i64 1 seq_cst seq_cst, align 8
  %.74 = extractvalue { i64, i1 } %.73, 1
  br i1 %.74, label %B310, label %B254

B254:                                             ; preds = %B0, %B198
  call fastcc void @work(ptr nonnull %.84, i64 %arg.job_address)
  %.112 = load i64, ptr %.24, align 8
  br label %common.ret

B310:                                             ; preds = %B198
  %.119 = add nsw i64 %arg.team_address, 64
  %.125 = add nsw i64 %arg.team_address, 200
  %.127 = inttoptr i64 %.125 to ptr
  %.128 = atomicrmw xchg ptr %.127, i64 %arg.job_address seq_cst, align 8
  %.131 = add nsw i64 %arg.team_address, 208
  %.133 = add nuw nsw i64 %.11.i, 4294967295
  %.134 = inttoptr i64 %.131 to ptr
  %.135 = atomicrmw xchg ptr %.134, i64 %.133 seq_cst, align 8
  %.137 = inttoptr i64 %.119 to ptr
  %.138 = atomicrmw xchg ptr %.137, i64 4294967296 seq_cst, align 8
  %.141 = add nsw i64 %arg.team_address, 16
  %.142 = inttoptr i64 %.141 to ptr
  %.143 = atomicrmw add ptr %.142, i64 1 seq_cst, align 8
  %.146 = getelementptr i8, ptr %.16, i64 112
  %.147 = load i64, ptr %.146, align 8
  %.13.i = load i64, ptr %.11, align 8, !noalias !193
  %.15.i = add nsw i64 %.13.i, 24
  %.16.i = inttoptr i64 %.15.i to ptr
  %.17.i = load atomic i64, ptr %.16.i seq_cst, align 8, !noalias !193
  %.23.i = load i64, ptr %.27, align 8, !noalias !193
  %.26.neg.i = add i64 %.17.i, %.11.i
  %.27.i = sub i64 %.26.neg.i, %.23.i
  %.11.i.i = tail call i64 @llvm.smin.i64(i64 %.27.i, i64 range(i64 -9223372036854775808, 9223372036854775807) %.62)
  %.62.i = icmp slt i64 %.11.i.i, 1
  br i1 %.62.i, label %B696, label %B166.i

B166.i:                                           ; preds = %B310
  %.75.i = icmp eq i64 %.147, 0
  br i1 %.75.i, label %B178.i, label %sleepers_to_wake.exit

B178.i:                                           ; preds = %B166.i
  %.80.i = getelementptr i8, ptr %.11, i64 216
  %.81.i = load i64, ptr %.80.i, align 8, !noalias !193
  %.82.i = add nsw i64 %.81.i, 1
  store i64 %.82.i, ptr %.80.i, align 8, !noalias !193
  %.89.i = icmp slt i64 %.81.i, 7
  br i1 %.89.i, label %B696, label %sleepers_to_wake.exit

sleepers_to_wake.exit: ; preds = %B166.i, %B178.i
  %.100.i = getelementptr i8, ptr %.11, i64 216
  store i64 0, ptr %.100.i, align 8, !noalias !193
  %.11.i1.i = tail call i64 @llvm.smin.i64(i64 %.17.i, i64 %.11.i.i)
  %.11.i1.i.fr = freeze i64 %.11.i1.i
  %.215 = icmp slt i64 %.11.i1.i.fr, 1
  br i1 %.215, label %B696, label %B640.lr.ph

B640.lr.ph:                                       ; preds = %sleepers_to_wake.exit
  %.297 = add nsw i64 %arg.team_address, 128
  br label %B640

B640:                                             ; preds = %B640.lr.ph, %B640
  %.204.05 = phi i64 [ %.11.i1.i.fr, %B640.lr.ph ], [ %.266, %B640 ]
  %.266 = add nsw i64 %.204.05, -1
  %.298 = tail call i32 @sem_post(i64 %.297)
  %.257 = icmp samesign ugt i64 %.204.05, 1
  br i1 %.257, label %B640, label %B696

B696:                                             ; preds = %B640, %B178.i, %B310, %sleepers_to_wake.exit
  store ptr null, ptr %.306, align 8
  call fastcc void @work(ptr nonnull %.306, i64 %arg.job_address)
  %.333 = atomicrmw and ptr %.137, i64 -4294967297 seq_cst, align 8
  %.338 = getelementptr i8, ptr %.16, i64 104
  %.339 = load i64, ptr %.338, align 8
  %.348 = load atomic i64, ptr %.137 seq_cst, align 8
  %.349.not = icmp eq i64 %.348, 0
  br i1 %.349.not, label %B696.B1152_crit_edge, label %B846.preheader

B696.B1152_crit_edge:                             ; preds = %B696
  %.pre = add nsw i64 %arg.job_address, 8
  %.pre6 = inttoptr i64 %.pre to ptr
  br label %B1152

B846.preheader:                                   ; preds = %B696
  %.342 = icmp ne i64 %.339, 0
  %.478 = add nsw i64 %arg.job_address, 8
  %.479 = inttoptr i64 %.478 to ptr
  br label %B846

B846:                                             ; preds = %B846.preheader, %B1114
  %looks.2.0 = phi i64 [ %.355, %B1114 ], [ 0, %B846.preheader ]
  %asks.2.0 = phi i1 [ %asks.3.0, %B1114 ], [ %.342, %B846.preheader ]
  %.355 = add nuw nsw i64 %looks.2.0, 1
  %.362 = icmp samesign ult i64 %looks.2.0, 1999
  br i1 %.362, label %B878, label %B908

B878:                                             ; preds = %B846
  tail call void @llvm.x86.sse2.pause()
  br label %B1114

B908:                                             ; preds = %B846
  %.374 = icmp samesign ult i64 %looks.2.0, 3999
  br i1 %.374, label %B936, label %B966

B936:                                             ; preds = %B908
  %.381 = tail call i32 @sched_yield()
  br label %B1114

B966:                                             ; preds = %B908
  %.387 = tail call i32 @usleep(i32 50)
  br i1 %asks.2.0, label %B1000.else.if, label %B1114

B1028:                                            ; preds = %B1000.else.if
  %.4.i = tail call i32 @PyGILState_Ensure(), !noalias !196
  %.5.i = tail call i32 @PyErr_CheckSignals(), !noalias !196
  %.6.i = tail call ptr @PyGILState_Release(i32 %.4.i), !noalias !196
  %.8.i.not = icmp eq i32 %.5.i, 0
  br i1 %.8.i.not, label %B1114, label %B1056

B1056:                                            ; preds = %B1028
  %.480 = atomicrmw or ptr %.479, i64 2 seq_cst, align 8
  br label %B1114

B1114:                                            ; preds = %B1028, %B1000.else.if, %B1056, %B966, %B936, %B878
  %asks.3.0 = phi i1 [ %asks.2.0, %B878 ], [ %asks.2.0, %B936 ], [ false, %B966 ], [ true, %B1028 ], [ false, %B1056 ], [ true, %B1000.else.if ]
  %.496 = load atomic i64, ptr %.137 seq_cst, align 8
  %.497.not = icmp eq i64 %.496, 0
  br i1 %.497.not, label %B1152, label %B846

common.ret:                                       ; preds = %B254, %B1152
  %storemerge = phi i64 [ %.523, %B1152 ], [ %.112, %B254 ]
  store i64 %storemerge, ptr %retptr, align 8
  ret void

B1152:                                            ; preds = %B1114, %B696.B1152_crit_edge
  %.522.pre-phi = phi ptr [ %.pre6, %B696.B1152_crit_edge ], [ %.479, %B1114 ]
  %.516 = atomicrmw xchg ptr %.72, i64 0 seq_cst, align 8
  %.523 = load atomic i64, ptr %.522.pre-phi seq_cst, align 8
  br label %common.ret

B1000.else.if:                                    ; preds = %B966
  %.413 = and i64 %.355, 127
  %.434 = icmp eq i64 %.413, 0
  br i1 %.434, label %B1028, label %B1114
}

define internal fastcc void @work(ptr noalias nonnull writeonly captures(none) %retptr, i64 %arg.job_address) unnamed_addr {
B0:
  %.53.i16 = alloca [1024 x i8], align 64
  %.14 = alloca i64, align 8
  %.179 = alloca i64, align 8
  store i64 0, ptr %.179, align 8
  %.8 = inttoptr i64 %arg.job_address to ptr
  store i64 0, ptr %.14, align 8
  call fastcc void @next_chunk(ptr nonnull %.14, i64 %arg.job_address)
  %.28 = load i64, ptr %.14, align 8
  %.44 = getelementptr i8, ptr %.8, i64 48
  %.45 = load i64, ptr %.44, align 8
  %.47 = icmp slt i64 %.28, %.45
  br i1 %.47, label %B100, label %common.ret

B100:                                             ; preds = %B0
  %.54 = getelementptr i8, ptr %.8, i64 104
  %.55 = load i64, ptr %.54, align 8
  %.56 = icmp eq i64 %.55, 0
  %.pre = add nsw i64 %arg.job_address, 8
  %.pre8 = inttoptr i64 %.pre to ptr
  br i1 %.56, label %B194.preheader, label %B134

B134:                                             ; preds = %B100
  %.67 = load atomic i64, ptr %.pre8 seq_cst, align 8
  %.68 = icmp eq i64 %.67, 0
  br i1 %.68, label %B194.preheader, label %common.ret

B194.preheader:                                   ; preds = %B100, %B134
  %.6.i = getelementptr i8, ptr %.8, i64 56
  %.53.i = getelementptr i8, ptr %.8, i64 120
  %.103 = getelementptr i8, ptr %.8, i64 64
  %.10.i17 = getelementptr i8, ptr %.8, i64 80
  %.48.i = getelementptr i8, ptr %.8, i64 72
  %.54.i23 = ptrtoint ptr %.53.i16 to i64
  %.128.i = getelementptr i8, ptr %.8, i64 88
  %.132.i = getelementptr i8, ptr %.8, i64 96
  %.188.i = getelementptr i8, ptr %.8, i64 24
  %.191.i = getelementptr i8, ptr %.8, i64 32
  %.111 = getelementptr i8, ptr %.8, i64 40
  br label %B194

B194:                                             ; preds = %B194.backedge, %B194.preheader
  %start.2.0 = phi i64 [ %.28, %B194.preheader ], [ %.193, %B194.backedge ]
  %.7.i = load i64, ptr %.6.i, align 8, !noalias !199
  %.9.i = load i64, ptr %.44, align 8, !noalias !199
  %.10.i = xor i64 %start.2.0, -1
  %.11.i = add i64 %.7.i, %.10.i
  %.12.i = add i64 %.11.i, %.9.i
  %.15.i = icmp eq i64 %.7.i, 0
  br i1 %.15.i, label %B0.endif.i, label %B0.else.i, !prof !98

B0.else.i:                                        ; preds = %B194
  %.26.i = icmp ne i64 %.12.i, -9223372036854775808
  %.27.i = icmp ne i64 %.7.i, -1
  %.28.not.i = or i1 %.27.i, %.26.i
  br i1 %.28.not.i, label %B0.else.if.i, label %B0.endif.i, !prof !99

B0.endif.i:                                       ; preds = %B0.else.if.i, %B0.else.i, %B194
  %storemerge1.i = phi i64 [ -1, %B194 ], [ %0, %B0.else.if.i ], [ -1, %B0.else.i ]
  %.54.i = load i64, ptr %.53.i, align 8, !noalias !199
  %.56.i = add i64 %.54.i, %storemerge1.i
  %.61.i = icmp eq i64 %.54.i, 0
  br i1 %.61.i, label %end_of_chunk.exit, label %B0.endif.else.i, !prof !98

B0.else.if.i:                                     ; preds = %B0.else.i
  %.31.i = sdiv i64 %.12.i, %.7.i
  %.32.i = srem i64 %.12.i, %.7.i
  %.33.i = xor i64 %.32.i, %.7.i
  %.34.i = icmp slt i64 %.33.i, 0
  %.35.i = icmp ne i64 %.32.i, 0
  %.36.i = and i1 %.35.i, %.34.i
  %.41.i = sext i1 %.36.i to i64
  %spec.select.i = add i64 %.31.i, -1
  %0 = add i64 %spec.select.i, %.41.i
  br label %B0.endif.i

B0.endif.else.i:                                  ; preds = %B0.endif.i
  %.72.i = icmp ne i64 %.56.i, -9223372036854775808
  %.73.i = icmp ne i64 %.54.i, -1
  %.74.not.i = or i1 %.73.i, %.72.i
  br i1 %.74.not.i, label %B0.endif.else.if.i, label %end_of_chunk.exit, !prof !99

B0.endif.else.if.i:                               ; preds = %B0.endif.else.i
  %.77.i = sdiv i64 %.56.i, %.54.i
  %.78.i = srem i64 %.56.i, %.54.i
  %.79.i = xor i64 %.78.i, %.54.i
  %.80.i = icmp slt i64 %.79.i, 0
  %.81.i = icmp ne i64 %.78.i, 0
  %.82.i = and i1 %.81.i, %.80.i
  %.87.i = sext i1 %.82.i to i64
  %spec.select4.i = add i64 %.77.i, %.87.i
  %1 = mul nsw i64 %spec.select4.i, %.7.i
  br label %end_of_chunk.exit

end_of_chunk.exit: ; preds = %B0.endif.i, %B0.endif.else.i, %B0.endif.else.if.i
  %storemerge3.i = phi i64 [ 0, %B0.endif.i ], [ %1, %B0.endif.else.if.i ], [ 0, %B0.endif.else.i ]
  %.100.i = add nsw i64 %storemerge3.i, %start.2.0
  %.11.i.i = call i64 @llvm.smin.i64(i64 %.9.i, i64 %.100.i)
  %.104 = load i64, ptr %.103, align 8
  %.105 = icmp eq i64 %.104, 0
  br i1 %.105, label %B260, label %B366

B260:                                             ; preds = %end_of_chunk.exit
  %.109 = load i64, ptr %.188.i, align 8
  %.112 = load i64, ptr %.111, align 8
  %.115 = load i64, ptr %.191.i, align 8
  %.118 = inttoptr i64 %.109 to ptr
  %.119 = call i64 %.118(i64 %.112, i64 %.115, i64 %start.2.0, i64 %.11.i.i)
  br label %B400

B366:                                             ; preds = %end_of_chunk.exit
  call void @llvm.lifetime.start.p0(ptr nonnull %.53.i16)
  %.11.i18 = load i64, ptr %.10.i17, align 8, !noalias !202
  %.12.i19 = inttoptr i64 %.11.i18 to ptr
  %.14.idx.i = shl i64 %start.2.0, 4
  %.14.i = getelementptr i8, ptr %.12.i19, i64 %.14.idx.i
  %.15.i20 = load i64, ptr %.14.i, align 8, !noalias !202
  %.18.i = getelementptr i8, ptr %.14.i, i64 8
  %.19.i = load i64, ptr %.18.i, align 8, !noalias !202
  %.35.idx.i = shl i64 %.11.i.i, 4
  %.35.i21 = getelementptr i8, ptr %.12.i19, i64 %.35.idx.i
  %.36.i22 = load i64, ptr %.35.i21, align 8, !noalias !202
  %.39.i = getelementptr i8, ptr %.35.i21, i64 8
  %.40.i = load i64, ptr %.39.i, align 8, !noalias !202
  %.40.fr.i = freeze i64 %.40.i
  %.49.i = load i64, ptr %.48.i, align 8, !noalias !202
  %.67.i = icmp slt i64 %.15.i20, %.36.i22
  br i1 %.67.i, label %B250.preheader.i, label %B226.i

B226.i:                                           ; preds = %B366
  %.81.i24 = icmp eq i64 %.15.i20, %.36.i22
  %.101.i = icmp slt i64 %.19.i, %.40.fr.i
  %or.cond.i = select i1 %.81.i24, i1 %.101.i, i1 false
  br i1 %or.cond.i, label %B250.preheader.i, label %run_rows.exit

B250.preheader.i:                                 ; preds = %B226.i, %B366
  %.119.i = shl i64 %.49.i, 4
  %.120.i = or disjoint i64 %.119.i, 8
  %.1021.not.i.i = icmp slt i64 %.49.i, 1
  %.232.i = icmp sgt i64 %.40.fr.i, 0
  br i1 %.1021.not.i.i, label %B250.preheader.split.us.i, label %B250.preheader.split.i

B250.preheader.split.us.i:                        ; preds = %B250.preheader.i
  %.166.us.peel.i = icmp eq i64 %.15.i20, %.36.i22
  br i1 %.232.i, label %B250.us.preheader.i, label %B250.us.us.preheader.i

B250.us.us.preheader.i:                           ; preds = %B250.preheader.split.us.i
  br i1 %.166.us.peel.i, label %B496.us.us.peel.i, label %B456.us.us.peel.i

B456.us.us.peel.i:                                ; preds = %B250.us.us.preheader.i
  %.121.us.us.peel.i = mul i64 %.120.i, %.15.i20
  %.122.us.us.peel.i = add nsw i64 %.104, %.121.us.us.peel.i
  %.13.i.us.us.peel.i = inttoptr i64 %.122.us.us.peel.i to ptr
  %.180.us.us.peel.i = load i64, ptr %.13.i.us.us.peel.i, align 8, !noalias !202
  br label %B496.us.us.peel.i

B496.us.us.peel.i:                                ; preds = %B456.us.us.peel.i, %B250.us.us.preheader.i
  %storemerge.us.us.peel.i = phi i64 [ %.180.us.us.peel.i, %B456.us.us.peel.i ], [ %.40.fr.i, %B250.us.us.preheader.i ]
  %.189.us.us.peel.i = load i64, ptr %.188.i, align 8, !noalias !202
  %.192.us.us.peel.i = load i64, ptr %.191.i, align 8, !noalias !202
  %.195.us.us.peel.i = inttoptr i64 %.189.us.us.peel.i to ptr
  %.196.us.us.peel.i = call i64 %.195.us.us.peel.i(i64 %.54.i23, i64 %.192.us.us.peel.i, i64 %.19.i, i64 %storemerge.us.us.peel.i), !noalias !202
  %.207.us.us.peel.i = add nsw i64 %.15.i20, 1
  %.218.us.us.peel.i = icmp slt i64 %.207.us.us.peel.i, %.36.i22
  br i1 %.218.us.us.peel.i, label %B496.us.us.i, label %run_rows.exit

B250.us.preheader.i:                              ; preds = %B250.preheader.split.us.i
  br i1 %.166.us.peel.i, label %B496.us.peel.i, label %B456.us.peel.i

B456.us.peel.i:                                   ; preds = %B250.us.preheader.i
  %.121.us.peel.i = mul i64 %.120.i, %.15.i20
  %.122.us.peel.i = add nsw i64 %.104, %.121.us.peel.i
  %.13.i.us.peel.i = inttoptr i64 %.122.us.peel.i to ptr
  %.180.us.peel.i = load i64, ptr %.13.i.us.peel.i, align 8, !noalias !202
  br label %B496.us.peel.i

B496.us.peel.i:                                   ; preds = %B456.us.peel.i, %B250.us.preheader.i
  %storemerge.us.peel.i = phi i64 [ %.180.us.peel.i, %B456.us.peel.i ], [ %.40.fr.i, %B250.us.preheader.i ]
  %.189.us.peel.i = load i64, ptr %.188.i, align 8, !noalias !202
  %.192.us.peel.i = load i64, ptr %.191.i, align 8, !noalias !202
  %.195.us.peel.i = inttoptr i64 %.189.us.peel.i to ptr
  %.196.us.peel.i = call i64 %.195.us.peel.i(i64 %.54.i23, i64 %.192.us.peel.i, i64 %.19.i, i64 %storemerge.us.peel.i), !noalias !202
  br i1 %.67.i, label %B250.us.i, label %run_rows.exit

B496.us.us.i:                                     ; preds = %B496.us.us.peel.i, %B496.us.us.i
  %row.2.0.us.us.i = phi i64 [ %.207.us.us.i, %B496.us.us.i ], [ %.207.us.us.peel.i, %B496.us.us.peel.i ]
  %status.2.0.us.us.i = phi i64 [ %.200.us.us.i, %B496.us.us.i ], [ %.196.us.us.peel.i, %B496.us.us.peel.i ]
  %.115.us.us.i = load i64, ptr %.103, align 8, !noalias !202
  %.121.us.us.i = mul i64 %row.2.0.us.us.i, %.120.i
  %.122.us.us.i = add nsw i64 %.115.us.us.i, %.121.us.us.i
  %.13.i.us.us.i = inttoptr i64 %.122.us.us.i to ptr
  %.180.us.us.i = load i64, ptr %.13.i.us.us.i, align 8, !noalias !202
  %.189.us.us.i = load i64, ptr %.188.i, align 8, !noalias !202
  %.192.us.us.i = load i64, ptr %.191.i, align 8, !noalias !202
  %.195.us.us.i = inttoptr i64 %.189.us.us.i to ptr
  %.196.us.us.i = call i64 %.195.us.us.i(i64 %.54.i23, i64 %.192.us.us.i, i64 0, i64 %.180.us.us.i), !noalias !202
  %.200.us.us.i = or i64 %.196.us.us.i, %status.2.0.us.us.i
  %.207.us.us.i = add i64 %row.2.0.us.us.i, 1
  %exitcond.not = icmp eq i64 %.207.us.us.i, %.36.i22
  br i1 %exitcond.not, label %run_rows.exit, label %B496.us.us.i, !llvm.loop !205

B250.us.i:                                        ; preds = %B496.us.peel.i, %B496.us.i
  %row.2.0.us.in.i = phi i64 [ %row.2.0.us.i, %B496.us.i ], [ %.15.i20, %B496.us.peel.i ]
  %status.2.0.us.i = phi i64 [ %.200.us.i, %B496.us.i ], [ %.196.us.peel.i, %B496.us.peel.i ]
  %row.2.0.us.i = add nsw i64 %row.2.0.us.in.i, 1
  %.166.us.i = icmp eq i64 %row.2.0.us.i, %.36.i22
  br i1 %.166.us.i, label %B496.us.i, label %B456.us.i

B456.us.i:                                        ; preds = %B250.us.i
  %.115.us.i = load i64, ptr %.103, align 8, !noalias !202
  %.121.us.i = mul i64 %row.2.0.us.i, %.120.i
  %.122.us.i = add nsw i64 %.115.us.i, %.121.us.i
  %.13.i.us.i = inttoptr i64 %.122.us.i to ptr
  %.180.us.i = load i64, ptr %.13.i.us.i, align 8, !noalias !202
  br label %B496.us.i

B496.us.i:                                        ; preds = %B456.us.i, %B250.us.i
  %storemerge.us.i = phi i64 [ %.180.us.i, %B456.us.i ], [ %.40.fr.i, %B250.us.i ]
  %.189.us.i = load i64, ptr %.188.i, align 8, !noalias !202
  %.192.us.i = load i64, ptr %.191.i, align 8, !noalias !202
  %.195.us.i = inttoptr i64 %.189.us.i to ptr
  %.196.us.i = call i64 %.195.us.i(i64 %.54.i23, i64 %.192.us.i, i64 0, i64 %storemerge.us.i), !noalias !202
  %.200.us.i = or i64 %.196.us.i, %status.2.0.us.i
  %exitcond7.not = icmp eq i64 %row.2.0.us.i, %.36.i22
  br i1 %exitcond7.not, label %run_rows.exit, label %B250.us.i, !llvm.loop !207

B250.preheader.split.i:                           ; preds = %B250.preheader.i
  br i1 %.232.i, label %B250.i.preheader, label %B250.us1.i.preheader

B250.us1.i.preheader:                             ; preds = %B250.preheader.split.i
  %xtraiter = and i64 %.49.i, 1
  %2 = icmp eq i64 %.49.i, 1
  %unroll_iter = and i64 %.49.i, 9223372036854775806
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  %lcmp.mod7 = icmp ne i64 %xtraiter, 0
  br label %B250.us1.i

B250.i.preheader:                                 ; preds = %B250.preheader.split.i
  %xtraiter8 = and i64 %.49.i, 1
  %3 = icmp eq i64 %.49.i, 1
  %unroll_iter11 = and i64 %.49.i, 9223372036854775806
  %lcmp.mod9.not = icmp eq i64 %xtraiter8, 0
  %lcmp.mod10 = icmp ne i64 %xtraiter8, 0
  br label %B250.i

B250.us1.i:                                       ; preds = %B250.us1.i.preheader, %B496.us15.i
  %element.2.0.us2.i = phi i64 [ 0, %B496.us15.i ], [ %.19.i, %B250.us1.i.preheader ]
  %row.2.0.us3.i = phi i64 [ %.207.us22.i, %B496.us15.i ], [ %.15.i20, %B250.us1.i.preheader ]
  %status.2.0.us4.i = phi i64 [ %.200.us21.i, %B496.us15.i ], [ 0, %B250.us1.i.preheader ]
  %.115.us5.i = load i64, ptr %.103, align 8, !noalias !202
  %.121.us6.i = mul i64 %row.2.0.us3.i, %.120.i
  %.122.us7.i = add nsw i64 %.115.us5.i, %.121.us6.i
  %.129.us8.i = load i64, ptr %.128.i, align 8, !noalias !202
  %.130.us9.i = inttoptr i64 %.129.us8.i to ptr
  %.133.us10.i = load i64, ptr %.132.i, align 8, !noalias !202
  %.134.us11.i = inttoptr i64 %.133.us10.i to ptr
  %.13.i.us12.i = inttoptr i64 %.122.us7.i to ptr
  br i1 %2, label %B96.i.us.i.epil.preheader, label %B96.i.us.i

B96.i.us.i:                                       ; preds = %B250.us1.i, %B96.i.us.i
  %.44.02.i.us.i = phi i64 [ %.115.i.us.i.1, %B96.i.us.i ], [ 0, %B250.us1.i ]
  %niter = phi i64 [ %niter.next.1, %B96.i.us.i ], [ 0, %B250.us1.i ]
  %.115.i.us.i = or disjoint i64 %.44.02.i.us.i, 1
  %.idx.i.us.i = shl i64 %.44.02.i.us.i, 4
  %4 = getelementptr i8, ptr %.13.i.us12.i, i64 %.idx.i.us.i
  %.144.i.us.i = getelementptr i8, ptr %4, i64 8
  %.145.i.us.i = load i64, ptr %.144.i.us.i, align 8, !noalias !208
  %.33.i.i.us.i = sub i64 0, %.145.i.us.i
  %.37.i.i.us.i = getelementptr i64, ptr %.134.us11.i, i64 %.33.i.i.us.i
  %.20.i.i.us.i = getelementptr i64, ptr %.130.us9.i, i64 %.145.i.us.i
  %.141.i.i.us.i = icmp slt i64 %.145.i.us.i, 0
  %storemerge.in.i.i.us.i = select i1 %.141.i.i.us.i, ptr %.37.i.i.us.i, ptr %.20.i.i.us.i
  %storemerge.i.i.us.i = load i64, ptr %storemerge.in.i.i.us.i, align 8, !noalias !211
  %.175.i.us.i = getelementptr i8, ptr %4, i64 16
  %.176.i.us.i = load i64, ptr %.175.i.us.i, align 8, !noalias !208
  %.177.i.us.i = add nsw i64 %.176.i.us.i, %storemerge.i.i.us.i
  %.179.i.us.i = getelementptr i64, ptr %.53.i16, i64 %.44.02.i.us.i
  store i64 %.177.i.us.i, ptr %.179.i.us.i, align 16, !noalias !208
  %.115.i.us.i.1 = add nuw nsw i64 %.44.02.i.us.i, 2
  %.idx.i.us.i.1 = shl i64 %.115.i.us.i, 4
  %5 = getelementptr i8, ptr %.13.i.us12.i, i64 %.idx.i.us.i.1
  %.144.i.us.i.1 = getelementptr i8, ptr %5, i64 8
  %.145.i.us.i.1 = load i64, ptr %.144.i.us.i.1, align 8, !noalias !208
  %.33.i.i.us.i.1 = sub i64 0, %.145.i.us.i.1
  %.37.i.i.us.i.1 = getelementptr i64, ptr %.134.us11.i, i64 %.33.i.i.us.i.1
  %.20.i.i.us.i.1 = getelementptr i64, ptr %.130.us9.i, i64 %.145.i.us.i.1
  %.141.i.i.us.i.1 = icmp slt i64 %.145.i.us.i.1, 0
  %storemerge.in.i.i.us.i.1 = select i1 %.141.i.i.us.i.1, ptr %.37.i.i.us.i.1, ptr %.20.i.i.us.i.1
  %storemerge.i.i.us.i.1 = load i64, ptr %storemerge.in.i.i.us.i.1, align 8, !noalias !211
  %.175.i.us.i.1 = getelementptr i8, ptr %5, i64 16
  %.176.i.us.i.1 = load i64, ptr %.175.i.us.i.1, align 8, !noalias !208
  %.177.i.us.i.1 = add nsw i64 %.176.i.us.i.1, %storemerge.i.i.us.i.1
  %.179.i.us.i.1 = getelementptr i64, ptr %.53.i16, i64 %.115.i.us.i
  store i64 %.177.i.us.i.1, ptr %.179.i.us.i.1, align 8, !noalias !208
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %bind_row.exit.loopexit.us.i.unr-lcssa, label %B96.i.us.i

B456.us13.i:                                      ; preds = %bind_row.exit.loopexit.us.i
  %.180.us14.i = load i64, ptr %.13.i.us12.i, align 8, !noalias !202
  br label %B496.us15.i

B496.us15.i:                                      ; preds = %bind_row.exit.loopexit.us.i, %B456.us13.i
  %storemerge.us16.i = phi i64 [ %.180.us14.i, %B456.us13.i ], [ %.40.fr.i, %bind_row.exit.loopexit.us.i ]
  %.189.us17.i = load i64, ptr %.188.i, align 8, !noalias !202
  %.192.us18.i = load i64, ptr %.191.i, align 8, !noalias !202
  %.195.us19.i = inttoptr i64 %.189.us17.i to ptr
  %.196.us20.i = call i64 %.195.us19.i(i64 %.54.i23, i64 %.192.us18.i, i64 %element.2.0.us2.i, i64 %storemerge.us16.i), !noalias !202
  %.200.us21.i = or i64 %.196.us20.i, %status.2.0.us4.i
  %.207.us22.i = add nsw i64 %row.2.0.us3.i, 1
  %.218.us23.i = icmp slt i64 %.207.us22.i, %.36.i22
  br i1 %.218.us23.i, label %B250.us1.i, label %run_rows.exit

bind_row.exit.loopexit.us.i.unr-lcssa: ; preds = %B96.i.us.i
  br i1 %lcmp.mod.not, label %bind_row.exit.loopexit.us.i, label %B96.i.us.i.epil.preheader

B96.i.us.i.epil.preheader:                        ; preds = %bind_row.exit.loopexit.us.i.unr-lcssa, %B250.us1.i
  %.44.02.i.us.i.epil.init = phi i64 [ 0, %B250.us1.i ], [ %.115.i.us.i.1, %bind_row.exit.loopexit.us.i.unr-lcssa ]
  call void @llvm.assume(i1 %lcmp.mod7)
  %.idx.i.us.i.epil = shl i64 %.44.02.i.us.i.epil.init, 4
  %6 = getelementptr i8, ptr %.13.i.us12.i, i64 %.idx.i.us.i.epil
  %.144.i.us.i.epil = getelementptr i8, ptr %6, i64 8
  %.145.i.us.i.epil = load i64, ptr %.144.i.us.i.epil, align 8, !noalias !208
  %.33.i.i.us.i.epil = sub i64 0, %.145.i.us.i.epil
  %.37.i.i.us.i.epil = getelementptr i64, ptr %.134.us11.i, i64 %.33.i.i.us.i.epil
  %.20.i.i.us.i.epil = getelementptr i64, ptr %.130.us9.i, i64 %.145.i.us.i.epil
  %.141.i.i.us.i.epil = icmp slt i64 %.145.i.us.i.epil, 0
  %storemerge.in.i.i.us.i.epil = select i1 %.141.i.i.us.i.epil, ptr %.37.i.i.us.i.epil, ptr %.20.i.i.us.i.epil
  %storemerge.i.i.us.i.epil = load i64, ptr %storemerge.in.i.i.us.i.epil, align 8, !noalias !211
  %.175.i.us.i.epil = getelementptr i8, ptr %6, i64 16
  %.176.i.us.i.epil = load i64, ptr %.175.i.us.i.epil, align 8, !noalias !208
  %.177.i.us.i.epil = add nsw i64 %.176.i.us.i.epil, %storemerge.i.i.us.i.epil
  %.179.i.us.i.epil = getelementptr i64, ptr %.53.i16, i64 %.44.02.i.us.i.epil.init
  store i64 %.177.i.us.i.epil, ptr %.179.i.us.i.epil, align 8, !noalias !208
  br label %bind_row.exit.loopexit.us.i

bind_row.exit.loopexit.us.i: ; preds = %bind_row.exit.loopexit.us.i.unr-lcssa, %B96.i.us.i.epil.preheader
  %.166.us28.i = icmp eq i64 %row.2.0.us3.i, %.36.i22
  br i1 %.166.us28.i, label %B496.us15.i, label %B456.us13.i

B250.i:                                           ; preds = %B250.i.preheader, %B496.i
  %element.2.0.i = phi i64 [ 0, %B496.i ], [ %.19.i, %B250.i.preheader ]
  %row.2.0.i = phi i64 [ %.207.i, %B496.i ], [ %.15.i20, %B250.i.preheader ]
  %status.2.0.i = phi i64 [ %.200.i, %B496.i ], [ 0, %B250.i.preheader ]
  %.115.i = load i64, ptr %.103, align 8, !noalias !202
  %.121.i = mul i64 %row.2.0.i, %.120.i
  %.122.i = add nsw i64 %.115.i, %.121.i
  %.129.i = load i64, ptr %.128.i, align 8, !noalias !202
  %.130.i = inttoptr i64 %.129.i to ptr
  %.133.i = load i64, ptr %.132.i, align 8, !noalias !202
  %.134.i = inttoptr i64 %.133.i to ptr
  %.13.i.i = inttoptr i64 %.122.i to ptr
  br i1 %3, label %B96.i.i.epil.preheader, label %B96.i.i

B96.i.i:                                          ; preds = %B250.i, %B96.i.i
  %.44.02.i.i = phi i64 [ %.115.i.i.1, %B96.i.i ], [ 0, %B250.i ]
  %niter12 = phi i64 [ %niter12.next.1, %B96.i.i ], [ 0, %B250.i ]
  %.115.i.i = or disjoint i64 %.44.02.i.i, 1
  %.idx.i.i = shl i64 %.44.02.i.i, 4
  %7 = getelementptr i8, ptr %.13.i.i, i64 %.idx.i.i
  %.144.i.i = getelementptr i8, ptr %7, i64 8
  %.145.i.i = load i64, ptr %.144.i.i, align 8, !noalias !208
  %.33.i.i.i = sub i64 0, %.145.i.i
  %.37.i.i.i = getelementptr i64, ptr %.134.i, i64 %.33.i.i.i
  %.20.i.i.i = getelementptr i64, ptr %.130.i, i64 %.145.i.i
  %.141.i.i.i = icmp slt i64 %.145.i.i, 0
  %storemerge.in.i.i.i = select i1 %.141.i.i.i, ptr %.37.i.i.i, ptr %.20.i.i.i
  %storemerge.i.i.i = load i64, ptr %storemerge.in.i.i.i, align 8, !noalias !211
  %.175.i.i = getelementptr i8, ptr %7, i64 16
  %.176.i.i = load i64, ptr %.175.i.i, align 8, !noalias !208
  %.177.i.i = add nsw i64 %.176.i.i, %storemerge.i.i.i
  %.179.i.i = getelementptr i64, ptr %.53.i16, i64 %.44.02.i.i
  store i64 %.177.i.i, ptr %.179.i.i, align 16, !noalias !208
  %.115.i.i.1 = add nuw nsw i64 %.44.02.i.i, 2
  %.idx.i.i.1 = shl i64 %.115.i.i, 4
  %8 = getelementptr i8, ptr %.13.i.i, i64 %.idx.i.i.1
  %.144.i.i.1 = getelementptr i8, ptr %8, i64 8
  %.145.i.i.1 = load i64, ptr %.144.i.i.1, align 8, !noalias !208
  %.33.i.i.i.1 = sub i64 0, %.145.i.i.1
  %.37.i.i.i.1 = getelementptr i64, ptr %.134.i, i64 %.33.i.i.i.1
  %.20.i.i.i.1 = getelementptr i64, ptr %.130.i, i64 %.145.i.i.1
  %.141.i.i.i.1 = icmp slt i64 %.145.i.i.1, 0
  %storemerge.in.i.i.i.1 = select i1 %.141.i.i.i.1, ptr %.37.i.i.i.1, ptr %.20.i.i.i.1
  %storemerge.i.i.i.1 = load i64, ptr %storemerge.in.i.i.i.1, align 8, !noalias !211
  %.175.i.i.1 = getelementptr i8, ptr %8, i64 16
  %.176.i.i.1 = load i64, ptr %.175.i.i.1, align 8, !noalias !208
  %.177.i.i.1 = add nsw i64 %.176.i.i.1, %storemerge.i.i.i.1
  %.179.i.i.1 = getelementptr i64, ptr %.53.i16, i64 %.115.i.i
  store i64 %.177.i.i.1, ptr %.179.i.i.1, align 8, !noalias !208
  %niter12.next.1 = add i64 %niter12, 2
  %niter12.ncmp.1 = icmp eq i64 %niter12.next.1, %unroll_iter11
  br i1 %niter12.ncmp.1, label %bind_row.exit.loopexit.i.unr-lcssa, label %B96.i.i

bind_row.exit.loopexit.i.unr-lcssa: ; preds = %B96.i.i
  br i1 %lcmp.mod9.not, label %bind_row.exit.loopexit.i, label %B96.i.i.epil.preheader

B96.i.i.epil.preheader:                           ; preds = %bind_row.exit.loopexit.i.unr-lcssa, %B250.i
  %.44.02.i.i.epil.init = phi i64 [ 0, %B250.i ], [ %.115.i.i.1, %bind_row.exit.loopexit.i.unr-lcssa ]
  call void @llvm.assume(i1 %lcmp.mod10)
  %.idx.i.i.epil = shl i64 %.44.02.i.i.epil.init, 4
  %9 = getelementptr i8, ptr %.13.i.i, i64 %.idx.i.i.epil
  %.144.i.i.epil = getelementptr i8, ptr %9, i64 8
  %.145.i.i.epil = load i64, ptr %.144.i.i.epil, align 8, !noalias !208
  %.33.i.i.i.epil = sub i64 0, %.145.i.i.epil
  %.37.i.i.i.epil = getelementptr i64, ptr %.134.i, i64 %.33.i.i.i.epil
  %.20.i.i.i.epil = getelementptr i64, ptr %.130.i, i64 %.145.i.i.epil
  %.141.i.i.i.epil = icmp slt i64 %.145.i.i.epil, 0
  %storemerge.in.i.i.i.epil = select i1 %.141.i.i.i.epil, ptr %.37.i.i.i.epil, ptr %.20.i.i.i.epil
  %storemerge.i.i.i.epil = load i64, ptr %storemerge.in.i.i.i.epil, align 8, !noalias !211
  %.175.i.i.epil = getelementptr i8, ptr %9, i64 16
  %.176.i.i.epil = load i64, ptr %.175.i.i.epil, align 8, !noalias !208
  %.177.i.i.epil = add nsw i64 %.176.i.i.epil, %storemerge.i.i.i.epil
  %.179.i.i.epil = getelementptr i64, ptr %.53.i16, i64 %.44.02.i.i.epil.init
  store i64 %.177.i.i.epil, ptr %.179.i.i.epil, align 8, !noalias !208
  br label %bind_row.exit.loopexit.i

bind_row.exit.loopexit.i: ; preds = %bind_row.exit.loopexit.i.unr-lcssa, %B96.i.i.epil.preheader
  %.166.i = icmp eq i64 %row.2.0.i, %.36.i22
  br i1 %.166.i, label %B496.i, label %B456.i

B456.i:                                           ; preds = %bind_row.exit.loopexit.i
  %.180.i = load i64, ptr %.13.i.i, align 8, !noalias !202
  br label %B496.i

B496.i:                                           ; preds = %B456.i, %bind_row.exit.loopexit.i
  %storemerge.i = phi i64 [ %.180.i, %B456.i ], [ %.40.fr.i, %bind_row.exit.loopexit.i ]
  %.189.i = load i64, ptr %.188.i, align 8, !noalias !202
  %.192.i = load i64, ptr %.191.i, align 8, !noalias !202
  %.195.i = inttoptr i64 %.189.i to ptr
  %.196.i = call i64 %.195.i(i64 %.54.i23, i64 %.192.i, i64 %element.2.0.i, i64 %storemerge.i), !noalias !202
  %.200.i = or i64 %.196.i, %status.2.0.i
  %.207.i = add nsw i64 %row.2.0.i, 1
  %or.cond34.not.not.i = icmp slt i64 %row.2.0.i, %.36.i22
  br i1 %or.cond34.not.not.i, label %B250.i, label %run_rows.exit

run_rows.exit: ; preds = %B496.us15.i, %B496.i, %B496.us.us.i, %B496.us.i, %B226.i, %B496.us.us.peel.i, %B496.us.peel.i
  %status.3.0.i = phi i64 [ 0, %B226.i ], [ %.200.us.i, %B496.us.i ], [ %.200.i, %B496.i ], [ %.200.us.us.i, %B496.us.us.i ], [ %.196.us.peel.i, %B496.us.peel.i ], [ %.196.us.us.peel.i, %B496.us.us.peel.i ], [ %.200.us21.i, %B496.us15.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.53.i16)
  br label %B400

B400:                                             ; preds = %run_rows.exit, %B260
  %storemerge = phi i64 [ %.119, %B260 ], [ %status.3.0.i, %run_rows.exit ]
  %.164.not = icmp eq i64 %storemerge, 0
  br i1 %.164.not, label %B466, label %B412

B412:                                             ; preds = %B400
  %.171 = atomicrmw or ptr %.pre8, i64 %storemerge seq_cst, align 8
  br label %B466

B466:                                             ; preds = %B412, %B400
  store i64 0, ptr %.179, align 8
  call fastcc void @next_chunk(ptr nonnull %.179, i64 %arg.job_address)
  %.193 = load i64, ptr %.179, align 8
  %.208 = load i64, ptr %.44, align 8
  %.210 = icmp slt i64 %.193, %.208
  br i1 %.210, label %B530, label %common.ret

B530:                                             ; preds = %B466
  %.214 = load i64, ptr %.54, align 8
  %.215 = icmp eq i64 %.214, 0
  br i1 %.215, label %B194.backedge, label %B564

B564:                                             ; preds = %B530
  %.221 = load atomic i64, ptr %.pre8 seq_cst, align 8
  %.222 = icmp eq i64 %.221, 0
  br i1 %.222, label %B194.backedge, label %common.ret

B194.backedge:                                    ; preds = %B564, %B530
  br label %B194

common.ret:                                       ; preds = %B466, %B564, %B134, %B0
  store ptr null, ptr %retptr, align 8
  ret void
}

declare i32 @sem_post(i64) local_unnamed_addr

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #0

declare i32 @sched_yield() local_unnamed_addr

declare i32 @usleep(i32) local_unnamed_addr

; Function Attrs: nofree norecurse nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal fastcc void @next_chunk(ptr noalias nonnull writeonly captures(none) %retptr, i64 %arg.job_address) unnamed_addr #1 {
B0:
  %.8 = inttoptr i64 %arg.job_address to ptr
  %.16 = load atomic i64, ptr %.8 seq_cst, align 8
  %.25 = getelementptr i8, ptr %.8, i64 48
  %.26 = load i64, ptr %.25, align 8
  %.28 = icmp slt i64 %.16, %.26
  br i1 %.28, label %B120, label %B374

B120:                                             ; preds = %B0
  %.6.i = getelementptr i8, ptr %.8, i64 56
  %.7.i = load i64, ptr %.6.i, align 8, !noalias !214
  %.10.i = xor i64 %.16, -1
  %.11.i = add i64 %.26, %.10.i
  %.12.i = add i64 %.11.i, %.7.i
  %.15.i = icmp eq i64 %.7.i, 0
  br i1 %.15.i, label %B0.endif.i, label %B0.else.i, !prof !98

B0.else.i:                                        ; preds = %B120
  %.26.i = icmp ne i64 %.12.i, -9223372036854775808
  %.27.i = icmp ne i64 %.7.i, -1
  %.28.not.i = or i1 %.27.i, %.26.i
  br i1 %.28.not.i, label %B0.else.if.i, label %B0.endif.i, !prof !99

B0.endif.i:                                       ; preds = %B0.else.if.i, %B0.else.i, %B120
  %storemerge1.i = phi i64 [ -1, %B120 ], [ %0, %B0.else.if.i ], [ -1, %B0.else.i ]
  %.53.i = getelementptr i8, ptr %.8, i64 120
  %.54.i = load i64, ptr %.53.i, align 8, !noalias !214
  %.56.i = add i64 %.54.i, %storemerge1.i
  %.61.i = icmp eq i64 %.54.i, 0
  br i1 %.61.i, label %end_of_chunk.exit, label %B0.endif.else.i, !prof !98

B0.else.if.i:                                     ; preds = %B0.else.i
  %.31.i = sdiv i64 %.12.i, %.7.i
  %.32.i = srem i64 %.12.i, %.7.i
  %.33.i = xor i64 %.32.i, %.7.i
  %.34.i = icmp slt i64 %.33.i, 0
  %.35.i = icmp ne i64 %.32.i, 0
  %.36.i = and i1 %.35.i, %.34.i
  %.41.i = sext i1 %.36.i to i64
  %spec.select.i = add i64 %.31.i, -1
  %0 = add i64 %spec.select.i, %.41.i
  br label %B0.endif.i

B0.endif.else.i:                                  ; preds = %B0.endif.i
  %.72.i = icmp ne i64 %.56.i, -9223372036854775808
  %.73.i = icmp ne i64 %.54.i, -1
  %.74.not.i = or i1 %.73.i, %.72.i
  br i1 %.74.not.i, label %B0.endif.else.if.i, label %end_of_chunk.exit, !prof !99

B0.endif.else.if.i:                               ; preds = %B0.endif.else.i
  %.77.i = sdiv i64 %.56.i, %.54.i
  %.78.i = srem i64 %.56.i, %.54.i
  %.79.i = xor i64 %.78.i, %.54.i
  %.80.i = icmp slt i64 %.79.i, 0
  %.81.i = icmp ne i64 %.78.i, 0
  %.82.i = and i1 %.81.i, %.80.i
  %.87.i = sext i1 %.82.i to i64
  %spec.select4.i = add i64 %.77.i, %.87.i
  %1 = mul nsw i64 %spec.select4.i, %.7.i
  br label %end_of_chunk.exit

end_of_chunk.exit: ; preds = %B0.endif.i, %B0.endif.else.i, %B0.endif.else.if.i
  %storemerge3.i = phi i64 [ 0, %B0.endif.i ], [ %1, %B0.endif.else.if.i ], [ 0, %B0.endif.else.i ]
  %.100.i = add nsw i64 %storemerge3.i, %.16
  %.11.i.i = tail call i64 @llvm.smin.i64(i64 %.26, i64 %.100.i)
  %.67 = cmpxchg ptr %.8, i64 %.16, i64 %.11.i.i seq_cst seq_cst, align 8
  %.68 = extractvalue { i64, i1 } %.67, 1
  br i1 %.68, label %B374, label %B204

B204:                                             ; preds = %end_of_chunk.exit, %end_of_chunk.exit48
  %.79 = load atomic i64, ptr %.8 seq_cst, align 8
  %.88 = load i64, ptr %.25, align 8
  %.90 = icmp slt i64 %.79, %.88
  br i1 %.90, label %B290, label %B374

B290:                                             ; preds = %B204
  %.7.i6 = load i64, ptr %.6.i, align 8, !noalias !217
  %.10.i9 = xor i64 %.79, -1
  %.11.i10 = add i64 %.88, %.10.i9
  %.12.i11 = add i64 %.11.i10, %.7.i6
  %.15.i12 = icmp eq i64 %.7.i6, 0
  br i1 %.15.i12, label %B0.endif.i17, label %B0.else.i13, !prof !98

B0.else.i13:                                      ; preds = %B290
  %.26.i14 = icmp ne i64 %.12.i11, -9223372036854775808
  %.27.i15 = icmp ne i64 %.7.i6, -1
  %.28.not.i16 = or i1 %.27.i15, %.26.i14
  br i1 %.28.not.i16, label %B0.else.if.i39, label %B0.endif.i17, !prof !99

B0.endif.i17:                                     ; preds = %B0.else.if.i39, %B0.else.i13, %B290
  %storemerge1.i18 = phi i64 [ -1, %B290 ], [ %2, %B0.else.if.i39 ], [ -1, %B0.else.i13 ]
  %.54.i20 = load i64, ptr %.53.i, align 8, !noalias !217
  %.56.i21 = add i64 %.54.i20, %storemerge1.i18
  %.61.i22 = icmp eq i64 %.54.i20, 0
  br i1 %.61.i22, label %end_of_chunk.exit48, label %B0.endif.else.i23, !prof !98

B0.else.if.i39:                                   ; preds = %B0.else.i13
  %.31.i40 = sdiv i64 %.12.i11, %.7.i6
  %.32.i41 = srem i64 %.12.i11, %.7.i6
  %.33.i42 = xor i64 %.32.i41, %.7.i6
  %.34.i43 = icmp slt i64 %.33.i42, 0
  %.35.i44 = icmp ne i64 %.32.i41, 0
  %.36.i45 = and i1 %.35.i44, %.34.i43
  %.41.i46 = sext i1 %.36.i45 to i64
  %spec.select.i47 = add i64 %.31.i40, -1
  %2 = add i64 %spec.select.i47, %.41.i46
  br label %B0.endif.i17

B0.endif.else.i23:                                ; preds = %B0.endif.i17
  %.72.i24 = icmp ne i64 %.56.i21, -9223372036854775808
  %.73.i25 = icmp ne i64 %.54.i20, -1
  %.74.not.i26 = or i1 %.73.i25, %.72.i24
  br i1 %.74.not.i26, label %B0.endif.else.if.i30, label %end_of_chunk.exit48, !prof !99

B0.endif.else.if.i30:                             ; preds = %B0.endif.else.i23
  %.77.i31 = sdiv i64 %.56.i21, %.54.i20
  %.78.i32 = srem i64 %.56.i21, %.54.i20
  %.79.i33 = xor i64 %.78.i32, %.54.i20
  %.80.i34 = icmp slt i64 %.79.i33, 0
  %.81.i35 = icmp ne i64 %.78.i32, 0
  %.82.i36 = and i1 %.81.i35, %.80.i34
  %.87.i37 = sext i1 %.82.i36 to i64
  %spec.select4.i38 = add i64 %.77.i31, %.87.i37
  %3 = mul nsw i64 %spec.select4.i38, %.7.i6
  br label %end_of_chunk.exit48

end_of_chunk.exit48: ; preds = %B0.endif.i17, %B0.endif.else.i23, %B0.endif.else.if.i30
  %storemerge3.i27 = phi i64 [ 0, %B0.endif.i17 ], [ %3, %B0.endif.else.if.i30 ], [ 0, %B0.endif.else.i23 ]
  %.100.i28 = add nsw i64 %storemerge3.i27, %.79
  %.11.i.i29 = tail call i64 @llvm.smin.i64(i64 %.88, i64 %.100.i28)
  %.127 = cmpxchg ptr %.8, i64 %.79, i64 %.11.i.i29 seq_cst seq_cst, align 8
  %.128 = extractvalue { i64, i1 } %.127, 1
  br i1 %.128, label %B374, label %B204

B374:                                             ; preds = %end_of_chunk.exit48, %B204, %end_of_chunk.exit, %B0
  %start.2.0 = phi i64 [ %.16, %end_of_chunk.exit ], [ %.16, %B0 ], [ %.79, %B204 ], [ %.79, %end_of_chunk.exit48 ]
  store i64 %start.2.0, ptr %retptr, align 8
  ret void
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #2

declare i64 @guardlift_set_memory_handler(i64) local_unnamed_addr

declare ptr @PyErr_Clear() local_unnamed_addr

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal fastcc void @followed_bound(ptr noalias nonnull writeonly captures(none) %retptr, i64 %arg.table_address, i64 %arg.start, i64 %arg.path, i64 %arg.position, ptr writeonly captures(none) %arg.frame) unnamed_addr #3 {
B0:
  %.91 = alloca i8, align 1
  %.14.i = inttoptr i64 %arg.path to ptr
  %.15.i = getelementptr i8, ptr %.14.i, i64 24
  %.16.i = load i64, ptr %.15.i, align 8, !noalias !220
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
  %.146.i = load i64, ptr %.144.i, align 8, !noalias !220
  %.149.i = load i64, ptr %.138.i, align 8, !noalias !220
  %.150.not.i = icmp eq i64 %.146.i, %.149.i
  br i1 %.150.not.i, label %B238.i, label %common.ret

B238.i:                                           ; preds = %B112.i
  %.164.i = add i64 %position.3.016.i, 24
  %.171.i = getelementptr i8, ptr %.138.i, i64 16
  %.172.i = load i64, ptr %.171.i, align 8, !noalias !220
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
  %.297.i = load i64, ptr %.291.i, align 8, !noalias !220
  %.298.i = and i64 %.297.i, 1
  %.299.not.i = icmp eq i64 %.298.i, 0
  br i1 %.299.not.i, label %B558.i, label %B382.i

B382.i:                                           ; preds = %B318.i
  %.304.i = and i64 %.297.i, -2
  %.306.i = add nsw i64 %.304.i, %thing.2.017.i
  %.307.i = inttoptr i64 %.306.i to ptr
  %.309.i = load i64, ptr %.307.i, align 8, !noalias !220
  %.314.i = icmp eq i64 %.309.i, 0
  br i1 %.314.i, label %common.ret, label %B470.i

B470.i:                                           ; preds = %B382.i
  %.317.i = add nsw i64 %.309.i, 8
  %.320.i = inttoptr i64 %.317.i to ptr
  %.322.i = load i64, ptr %.320.i, align 8, !noalias !220
  %.324.i = getelementptr i8, ptr %.291.i, i64 8
  %.325.i = load i64, ptr %.324.i, align 8, !noalias !220
  %.328.i = icmp eq i64 %.322.i, %.325.i
  br i1 %.328.i, label %common.ret, label %B646.i

B558.i:                                           ; preds = %B318.i
  %.351.i = add nsw i64 %.297.i, %thing.2.017.i
  %.352.i = inttoptr i64 %.351.i to ptr
  %.354.i = load i64, ptr %.352.i, align 8, !noalias !220
  %.356.i = getelementptr i8, ptr %.291.i, i64 8
  %.357.i = load i64, ptr %.356.i, align 8, !noalias !220
  %.360.not.i = icmp eq i64 %.354.i, %.357.i
  br i1 %.360.not.i, label %B646.i, label %common.ret

B646.i:                                           ; preds = %B558.i, %B470.i
  %.375.i = add nsw i64 %position.4.011.i, 16
  %.252.i = icmp samesign ugt i64 %.26112.in.i, 1
  br i1 %.252.i, label %B318.i, label %B658.i

B658.i:                                           ; preds = %B646.i, %B238.i
  %position.4.0.lcssa.i = phi i64 [ %.164.i, %B238.i ], [ %1, %B646.i ]
  %.388.i = getelementptr i8, ptr %.138.i, i64 8
  %.389.i = load i64, ptr %.388.i, align 8, !noalias !220
  %.390.not.i = icmp eq i64 %.389.i, 0
  br i1 %.390.not.i, label %B780.i, label %B692.i

B692.i:                                           ; preds = %B658.i
  %.398.i = add nsw i64 %.389.i, %thing.2.017.i
  %.401.i = inttoptr i64 %.398.i to ptr
  %.403.i = load i64, ptr %.401.i, align 8, !noalias !220
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
define internal fastcc void @array_bound(ptr noalias nonnull writeonly captures(none) %retptr, i64 %arg.table_address, i64 %arg.array, ptr captures(none) %arg.record, ptr writeonly captures(none) %arg.frame) unnamed_addr #4 {
B0:
  %.11.i = add nsw i64 %arg.array, 64
  %.12.i = inttoptr i64 %.11.i to ptr
  %.14.i = load i32, ptr %.12.i, align 4, !noalias !223
  %.19.i = getelementptr i8, ptr %arg.record, i64 56
  %.20.i = load i64, ptr %.19.i, align 8, !noalias !223
  %.22.i = sext i32 %.14.i to i64
  %.23.i = and i64 %.20.i, %.22.i
  %.24.not.i = icmp eq i64 %.23.i, %.20.i
  br i1 %.24.not.i, label %B106.i, label %common.ret

B106.i:                                           ; preds = %B0
  %.27.i = getelementptr i8, ptr %arg.record, i64 64
  %.28.i = load i64, ptr %.27.i, align 8, !noalias !223
  %.31.i = and i64 %.28.i, %.22.i
  %.34.not.i = icmp eq i64 %.31.i, 0
  br i1 %.34.not.i, label %B150.i, label %common.ret

B150.i:                                           ; preds = %B106.i
  %.46.i = add nsw i64 %arg.array, 56
  %.47.i = inttoptr i64 %.46.i to ptr
  %.49.i = load i64, ptr %.47.i, align 8, !noalias !223
  %.54.i = getelementptr i8, ptr %arg.record, i64 32
  %.55.i = load i64, ptr %.54.i, align 8, !noalias !223
  %.57.not.i = icmp eq i64 %.49.i, %.55.i
  br i1 %.57.not.i, label %B426.i, label %B242.i

B242.i:                                           ; preds = %B150.i
  %.60.i = add nsw i64 %.49.i, 28
  %.61.i = inttoptr i64 %.60.i to ptr
  %.63.i = load i32, ptr %.61.i, align 4, !noalias !223
  %.65.i = getelementptr i8, ptr %arg.record, i64 40
  %.66.i = load i64, ptr %.65.i, align 8, !noalias !223
  %.67.i = sext i32 %.63.i to i64
  %.68.not.i = icmp eq i64 %.66.i, %.67.i
  br i1 %.68.not.i, label %B334.i, label %common.ret

B334.i:                                           ; preds = %B242.i
  %.80.i = add nsw i64 %.49.i, 26
  %.83.i = inttoptr i64 %.80.i to ptr
  %.85.i = load i8, ptr %.83.i, align 1, !noalias !223
  %.87.i = getelementptr i8, ptr %arg.record, i64 48
  %.88.i = load i64, ptr %.87.i, align 8, !noalias !223
  %.89.i = zext i8 %.85.i to i64
  %.90.not.i = icmp eq i64 %.88.i, %.89.i
  br i1 %.90.not.i, label %B426.i, label %common.ret

B426.i:                                           ; preds = %B334.i, %B150.i
  %.102.i = getelementptr i8, ptr %arg.record, i64 72
  %.103.i = load i64, ptr %.102.i, align 8, !noalias !223
  %.108.i = add nsw i64 %arg.array, 24
  %.109.i = inttoptr i64 %.108.i to ptr
  %.111.i = load i32, ptr %.109.i, align 4, !noalias !223
  %.113.i = sext i32 %.111.i to i64
  %.114.not.i = icmp eq i64 %.103.i, %.113.i
  br i1 %.114.not.i, label %B522.i, label %common.ret

B522.i:                                           ; preds = %B426.i
  %.126.i = add nsw i64 %arg.array, 32
  %.127.i = inttoptr i64 %.126.i to ptr
  %.129.i = load i64, ptr %.127.i, align 8, !noalias !223
  %.130.i = inttoptr i64 %.129.i to ptr
  %.135.i = add nsw i64 %arg.array, 40
  %.138.i = inttoptr i64 %.135.i to ptr
  %.140.i = load i64, ptr %.138.i, align 8, !noalias !223
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
  %.273.i = load i64, ptr %.272.i, align 8, !noalias !223
  %.idx.i = shl i64 %.171.0.i, 4
  %0 = getelementptr i8, ptr %arg.record, i64 %.idx.i
  %.278.i = getelementptr i8, ptr %0, i64 120
  %.279.i = load i64, ptr %.278.i, align 8, !noalias !223
  %.280.not.i = icmp eq i64 %.273.i, %.279.i
  br i1 %.280.not.i, label %B788.i, label %common.ret

B788.i:                                           ; preds = %B722.i
  %.300.i = getelementptr i8, ptr %0, i64 128
  %.301.i = load i64, ptr %.300.i, align 8, !noalias !223
  %.307.i = getelementptr i64, ptr %.141.i, i64 %.171.0.i
  %.308.i = load i64, ptr %.307.i, align 8, !noalias !223
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
  %count.0.i = load i64, ptr %count.0.in.i, align 8, !noalias !226
  %storemerge1.i = load i64, ptr %storemerge1.in.i, align 8, !noalias !226
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
  %.128.i = load i64, ptr %.127.i6, align 8, !noalias !226
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
  %.197.i = load i64, ptr %.196.i, align 8, !noalias !226
  %.199.i = icmp slt i64 %.197.i, %.108
  br i1 %.199.i, label %common.ret, label %B374.i

B374.i:                                           ; preds = %B340.i, %B328.i
  %.217.i = icmp sgt i64 %first.4.0.i, 0
  br i1 %.217.i, label %B386.i, label %B416.i

B386.i:                                           ; preds = %B374.i
  %.idx.i5 = shl i64 %first.4.0.i, 4
  %1 = getelementptr i8, ptr %.93.i, i64 %.idx.i5
  %.223.i = getelementptr i8, ptr %1, i64 -8
  %.224.i = load i64, ptr %.223.i, align 8, !noalias !226
  br label %B416.i

B416.i:                                           ; preds = %B386.i, %B374.i
  %storemerge2.i = phi i64 [ %.224.i, %B386.i ], [ 0, %B374.i ]
  store i64 %storemerge2.i, ptr %.118, align 8, !noalias !226
  br i1 %.191.i, label %B446.i, label %B480.i

B446.i:                                           ; preds = %B416.i
  %.249.idx.i = shl i64 %first.4.0.i, 4
  %.249.i = getelementptr i8, ptr %.93.i, i64 %.249.idx.i
  %.250.i = load i64, ptr %.249.i, align 8, !noalias !226
  br label %B480.i

B480.i:                                           ; preds = %B446.i, %B416.i
  %storemerge3.i = phi i64 [ %.250.i, %B446.i ], [ 4611686018427387904, %B416.i ]
  %.266.i = getelementptr i8, ptr %arg.record, i64 112
  store i64 %storemerge3.i, ptr %.266.i, align 8, !noalias !226
  br label %common.ret
}

declare i64 @PyLong_AsLongLongAndOverflow(i64, i64) local_unnamed_addr

declare ptr @guardlift_scalar_read(i64, i64) local_unnamed_addr

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #5

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #6

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #7

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #7

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #8

attributes #0 = { nounwind }
attributes #1 = { nofree norecurse nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #2 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #4 = { nofree norecurse nosync nounwind memory(read, argmem: readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #5 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #7 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #8 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"launch: %retptr"}
!2 = distinct !{!2, !"launch"}
!3 = !{!4, !1}
!4 = distinct !{!4, !5, !"held: %retptr"}
!5 = distinct !{!5, !"held"}
!6 = !{!7, !1}
!7 = distinct !{!7, !8, !"accepts_error_state: %retptr"}
!8 = distinct !{!8, !"accepts_error_state"}
!9 = !{!10, !7, !1}
!10 = distinct !{!10, !11, !"is_quiet: %retptr"}
!11 = distinct !{!11, !"is_quiet"}
!12 = !{!13, !1}
!13 = distinct !{!13, !14, !"held: %retptr"}
!14 = distinct !{!14, !"held"}
!15 = !{!16, !1}
!16 = distinct !{!16, !17, !"take_frame: %retptr"}
!17 = distinct !{!17, !"take_frame"}
!18 = !{!19, !1}
!19 = distinct !{!19, !20, !"run: %retptr"}
!20 = distinct !{!20, !"run"}
!21 = !{!22, !19, !1}
!22 = distinct !{!22, !23, !"bound: %retptr"}
!23 = distinct !{!23, !"bound"}
!24 = !{!25, !19, !1}
!25 = distinct !{!25, !26, !"owners_bound: %retptr"}
!26 = distinct !{!26, !"owners_bound"}
!27 = !{!28, !25, !19, !1}
!28 = distinct !{!28, !29, !"owner_of: %retptr"}
!29 = distinct !{!29, !"owner_of"}
!30 = !{!31, !25, !19, !1}
!31 = distinct !{!31, !32, !"owner_of: %retptr"}
!32 = distinct !{!32, !"owner_of"}
!33 = !{!34, !25, !19, !1}
!34 = distinct !{!34, !35, !"followed: %retptr"}
!35 = distinct !{!35, !"followed"}
!36 = !{!37, !19, !1}
!37 = distinct !{!37, !38, !"watched_slots_fit: %retptr"}
!38 = distinct !{!38, !"watched_slots_fit"}
!39 = !{!40, !37, !19, !1}
!40 = distinct !{!40, !41, !"all_looked: %retptr"}
!41 = distinct !{!41, !"all_looked"}
!42 = !{!43, !40, !37, !19, !1}
!43 = distinct !{!43, !44, !"looked: %retptr"}
!44 = distinct !{!44, !"looked"}
!45 = !{!46, !43, !40, !37, !19, !1}
!46 = distinct !{!46, !47, !"found: %retptr"}
!47 = distinct !{!47, !"found"}
!48 = !{!49, !46, !43, !40, !37, !19, !1}
!49 = distinct !{!49, !50, !"followed: %retptr"}
!50 = distinct !{!50, !"followed"}
!51 = !{!52, !43, !40, !37, !19, !1}
!52 = distinct !{!52, !53, !"put_aside: %retptr"}
!53 = distinct !{!53, !"put_aside"}
!54 = !{!55, !19, !1}
!55 = distinct !{!55, !56, !"overlapping: %retptr"}
!56 = distinct !{!56, !"overlapping"}
!57 = !{!58, !55, !19, !1}
!58 = distinct !{!58, !59, !"base: %retptr"}
!59 = distinct !{!59, !"base"}
!60 = !{!61, !55, !19, !1}
!61 = distinct !{!61, !62, !"base: %retptr"}
!62 = distinct !{!62, !"base"}
!63 = !{!64, !66, !19, !1}
!64 = distinct !{!64, !65, !"made_fresh: %retptr"}
!65 = distinct !{!65, !"made_fresh"}
!66 = distinct !{!66, !67, !"executed: %retptr"}
!67 = distinct !{!67, !"executed"}
!68 = !{!69, !64, !66, !19, !1}
!69 = distinct !{!69, !70, !"fresh_array: %retptr"}
!70 = distinct !{!70, !"fresh_array"}
!71 = distinct !{!71, !72}
!72 = !{!"llvm.loop.unroll.disable"}
!73 = !{!74, !69, !64, !66, !19, !1}
!74 = distinct !{!74, !75, !"handler_restored: %retptr"}
!75 = distinct !{!75, !"handler_restored"}
!76 = !{!77, !69, !64, !66, !19, !1}
!77 = distinct !{!77, !78, !"handler_restored: %retptr"}
!78 = distinct !{!78, !"handler_restored"}
!79 = !{!80, !64, !66, !19, !1}
!80 = distinct !{!80, !81, !"drop: %retptr"}
!81 = distinct !{!81, !"drop"}
!82 = !{!66, !19, !1}
!83 = !{!84, !66, !19, !1}
!84 = distinct !{!84, !85, !"run_steps: %retptr"}
!85 = distinct !{!85, !"run_steps"}
!86 = !{!87, !84, !66, !19, !1}
!87 = distinct !{!87, !88, !"lay_out: %retptr"}
!88 = distinct !{!88, !"lay_out"}
!89 = !{!90, !87, !84, !66, !19, !1}
!90 = distinct !{!90, !91, !"base: %retptr"}
!91 = distinct !{!91, !"base"}
!92 = !{!93, !84, !66, !19, !1}
!93 = distinct !{!93, !94, !"share_kernel: %retptr"}
!94 = distinct !{!94, !"share_kernel"}
!95 = !{!96, !93, !84, !66, !19, !1}
!96 = distinct !{!96, !97, !"cut: %retptr"}
!97 = distinct !{!97, !"cut"}
!98 = !{!"branch_weights", i32 1, i32 99}
!99 = !{!"branch_weights", i32 99, i32 1}
!100 = !{!101, !84, !66, !19, !1}
!101 = distinct !{!101, !102, !"share_table: %retptr"}
!102 = distinct !{!102, !"share_table"}
!103 = !{!104, !101, !84, !66, !19, !1}
!104 = distinct !{!104, !105, !"cut.1: %retptr"}
!105 = distinct !{!105, !"cut.1"}
!106 = !{!"branch_weights", i32 219110, i32 2147264538}
!107 = !{!"branch_weights", i32 2104095715, i32 43387933}
!108 = !{!109, !84, !66, !19, !1}
!109 = distinct !{!109, !110, !"run_table: %retptr"}
!110 = distinct !{!110, !"run_table"}
!111 = !{!112, !109, !84, !66, !19, !1}
!112 = distinct !{!112, !113, !"bind_row: %retptr"}
!113 = distinct !{!113, !"bind_row"}
!114 = !{!115, !112, !109, !84, !66, !19, !1}
!115 = distinct !{!115, !116, !"base: %retptr"}
!116 = distinct !{!116, !"base"}
!117 = !{!118, !84, !66, !19, !1}
!118 = distinct !{!118, !119, !"begin_loop: %retptr"}
!119 = distinct !{!119, !"begin_loop"}
!120 = !{!121, !118, !84, !66, !19, !1}
!121 = distinct !{!121, !122, !"base: %retptr"}
!122 = distinct !{!122, !"base"}
!123 = !{!124, !84, !66, !19, !1}
!124 = distinct !{!124, !125, !"goes_on: %retptr"}
!125 = distinct !{!125, !"goes_on"}
!126 = !{!127, !84, !66, !19, !1}
!127 = distinct !{!127, !128, !"jumps: %retptr"}
!128 = distinct !{!128, !"jumps"}
!129 = !{!130, !127, !84, !66, !19, !1}
!130 = distinct !{!130, !131, !"base: %retptr"}
!131 = distinct !{!131, !"base"}
!132 = !{!133, !84, !66, !19, !1}
!133 = distinct !{!133, !134, !"lay_out: %retptr"}
!134 = distinct !{!134, !"lay_out"}
!135 = !{!136, !133, !84, !66, !19, !1}
!136 = distinct !{!136, !137, !"base: %retptr"}
!137 = distinct !{!137, !"base"}
!138 = !{!139, !84, !66, !19, !1}
!139 = distinct !{!139, !140, !"lay_out_sizes: %retptr"}
!140 = distinct !{!140, !"lay_out_sizes"}
!141 = distinct !{!141, !142, !143}
!142 = !{!"llvm.loop.isvectorized", i32 1}
!143 = !{!"llvm.loop.unroll.runtime.disable"}
!144 = distinct !{!144, !142}
!145 = !{!146, !84, !66, !19, !1}
!146 = distinct !{!146, !147, !"multiply: %retptr"}
!147 = distinct !{!147, !"multiply"}
!148 = !{!149, !146, !84, !66, !19, !1}
!149 = distinct !{!149, !150, !"base: %retptr"}
!150 = distinct !{!150, !"base"}
!151 = !{!152, !146, !84, !66, !19, !1}
!152 = distinct !{!152, !153, !"base: %retptr"}
!153 = distinct !{!153, !"base"}
!154 = !{!155, !146, !84, !66, !19, !1}
!155 = distinct !{!155, !156, !"base: %retptr"}
!156 = distinct !{!156, !"base"}
!157 = !{!158, !146, !84, !66, !19, !1}
!158 = distinct !{!158, !159, !"multiply_one: %retptr"}
!159 = distinct !{!159, !"multiply_one"}
!160 = !{!161, !66, !19, !1}
!161 = distinct !{!161, !162, !"drop: %retptr"}
!162 = distinct !{!162, !"drop"}
!163 = !{!164, !66, !19, !1}
!164 = distinct !{!164, !165, !"held: %retptr"}
!165 = distinct !{!165, !"held"}
!166 = !{!167, !66, !19, !1}
!167 = distinct !{!167, !168, !"finished: %retptr"}
!168 = distinct !{!168, !"finished"}
!169 = !{!170, !167, !66, !19, !1}
!170 = distinct !{!170, !171, !"view: %retptr"}
!171 = distinct !{!171, !"view"}
!172 = !{!173, !170, !167, !66, !19, !1}
!173 = distinct !{!173, !174, !"held: %retptr"}
!174 = distinct !{!174, !"held"}
!175 = !{!176, !167, !66, !19, !1}
!176 = distinct !{!176, !177, !"held: %retptr"}
!177 = distinct !{!177, !"held"}
!178 = !{!179, !167, !66, !19, !1}
!179 = distinct !{!179, !180, !"drop: %retptr"}
!180 = distinct !{!180, !"drop"}
!181 = !{!182, !66, !19, !1}
!182 = distinct !{!182, !183, !"result_object: %retptr"}
!183 = distinct !{!183, !"result_object"}
!184 = !{!185, !182, !66, !19, !1}
!185 = distinct !{!185, !186, !"held: %retptr"}
!186 = distinct !{!186, !"held"}
!187 = !{!188, !182, !66, !19, !1}
!188 = distinct !{!188, !189, !"drop: %retptr"}
!189 = distinct !{!189, !"drop"}
!190 = !{!191, !19, !1}
!191 = distinct !{!191, !192, !"call_ended: %retptr"}
!192 = distinct !{!192, !"call_ended"}
!193 = !{!194}
!194 = distinct !{!194, !195, !"sleepers_to_wake: %retptr"}
!195 = distinct !{!195, !"sleepers_to_wake"}
!196 = !{!197}
!197 = distinct !{!197, !198, !"signal_raised: %retptr"}
!198 = distinct !{!198, !"signal_raised"}
!199 = !{!200}
!200 = distinct !{!200, !201, !"end_of_chunk: %retptr"}
!201 = distinct !{!201, !"end_of_chunk"}
!202 = !{!203}
!203 = distinct !{!203, !204, !"run_rows: %retptr"}
!204 = distinct !{!204, !"run_rows"}
!205 = distinct !{!205, !206}
!206 = !{!"llvm.loop.peeled.count", i32 1}
!207 = distinct !{!207, !206}
!208 = !{!209, !203}
!209 = distinct !{!209, !210, !"bind_row: %retptr"}
!210 = distinct !{!210, !"bind_row"}
!211 = !{!212, !209, !203}
!212 = distinct !{!212, !213, !"base: %retptr"}
!213 = distinct !{!213, !"base"}
!214 = !{!215}
!215 = distinct !{!215, !216, !"end_of_chunk: %retptr"}
!216 = distinct !{!216, !"end_of_chunk"}
!217 = !{!218}
!218 = distinct !{!218, !219, !"end_of_chunk: %retptr"}
!219 = distinct !{!219, !"end_of_chunk"}
!220 = !{!221}
!221 = distinct !{!221, !222, !"followed: %retptr"}
!222 = distinct !{!222, !"followed"}
!223 = !{!224}
!224 = distinct !{!224, !225, !"array_matches: %retptr"}
!225 = distinct !{!225, !"array_matches"}
!226 = !{!227}
!227 = distinct !{!227, !228, !"meets_lifted: %retptr"}
!228 = distinct !{!228, !"meets_lifted"}
