; digest 5df167046910abc201766f74d6858d14
; The program guardlift_launch_sized of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py 593aaea976605c17dc2850b2025a2ad9
; source backend/cpu/compiler/numba_functions.py cb9b1c36af3007b22ef3a2021110394a
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/plan/table_layout.py b1d5a4207644d2272747b2908b5c9ccf
; source backend/cpu/runner/checks.py ec2503d1e3e3f9f4e54d967e0f62ca33
; source backend/cpu/runner/symbolic_plan.py 851a61d42e8a9a1e8c3dd1f6bff2dcc4
; source backend/cpu/runner/watched_slots.py 685ecba62f096f9917eaf69f5be6723e
; source backend/llvm/native_functions.py 8470d6db57a161a1db5405622a6894a3
; ModuleID = 'guardlift_launch_sized'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


declare ptr @Py_IncRef(i64) local_unnamed_addr

declare i64 @PyMem_RawMalloc(i64) local_unnamed_addr

declare i64 @PyErr_NoMemory() local_unnamed_addr

declare i64 @memcpy(i64, i64, i64) local_unnamed_addr

declare ptr @PyMem_RawFree(i64) local_unnamed_addr

define i64 @guardlift_launch_sized(i64 %.1, ptr %.2, i64 %.3) local_unnamed_addr {
entry:
  %.20.i.i = alloca [64 x i8], align 64
  %.60.i = alloca [4104 x i8], align 64
  %.73.i = alloca [12288 x i8], align 64
  %.243.i = alloca [64 x i8], align 64
  call void @llvm.lifetime.start.p0(ptr nonnull %.60.i)
  call void @llvm.lifetime.start.p0(ptr nonnull %.73.i)
  call void @llvm.lifetime.start.p0(ptr nonnull %.243.i)
  %.11.i = add nsw i64 %.1, 16
  %.12.i = inttoptr i64 %.11.i to ptr
  %.14.i = load i64, ptr %.12.i, align 8, !noalias !0
  %.19.i = inttoptr i64 %.14.i to ptr
  %.24.i = getelementptr i8, ptr %.19.i, i64 280
  %.25.i = load i64, ptr %.24.i, align 8, !noalias !0
  %.30.i = shl nsw i64 %.25.i, 3
  %.32.i = add nsw i64 %.30.i, %.14.i
  %.37.i = inttoptr i64 %.32.i to ptr
  %.43.i = load i64, ptr %.19.i, align 8, !noalias !0
  %.45.i = getelementptr i8, ptr %.37.i, i64 8
  %.46.i = load i64, ptr %.45.i, align 8, !noalias !0
  %.47.i = add nsw i64 %.46.i, %.43.i
  %.49.not.i = icmp eq i64 %.3, %.47.i
  br i1 %.49.not.i, label %B304.i, label %B226.i

B226.i:                                           ; preds = %entry
  %.52.i = getelementptr i8, ptr %.19.i, i64 24
  %.53.i = load i64, ptr %.52.i, align 8, !noalias !0
  %.54.i = tail call ptr @Py_IncRef(i64 %.53.i), !noalias !0
  %.57.i = load i64, ptr %.52.i, align 8, !noalias !0
  br label %launch_sized.exit

B304.i:                                           ; preds = %entry
  %.67.i = icmp slt i64 %.25.i, 1537
  br i1 %.67.i, label %B426.thread.i, label %B426.i

B426.thread.i:                                    ; preds = %B304.i
  %.74.i = ptrtoint ptr %.73.i to i64
  br label %B468.i

B426.i:                                           ; preds = %B304.i
  %.81.i = tail call i64 @PyMem_RawMalloc(i64 %.30.i), !noalias !0
  %.90.i = icmp eq i64 %.81.i, 0
  br i1 %.90.i, label %B440.i, label %B468.i

B440.i:                                           ; preds = %B426.i
  %.92.i = tail call i64 @PyErr_NoMemory(), !noalias !0
  br label %launch_sized.exit

B468.i:                                           ; preds = %B426.i, %B426.thread.i
  %copy_address.0.i = phi i64 [ %.74.i, %B426.thread.i ], [ %.81.i, %B426.i ]
  call void @llvm.lifetime.start.p0(ptr nonnull %.20.i.i), !noalias !0
  %.21.i.i = ptrtoint ptr %.20.i.i to i64
  %.26.i.i = add nsw i64 %.32.i, 80
  %.31.i.i = getelementptr i8, ptr %.37.i, i64 16
  %.32.i.i = load i64, ptr %.31.i.i, align 8, !noalias !3
  %.1159.not.i.i = icmp slt i64 %.32.i.i, 1
  br i1 %.1159.not.i.i, label %read.exit.i, label %B174.lr.ph.i.i

B174.lr.ph.i.i:                                   ; preds = %B468.i
  %.358.i.i = getelementptr i8, ptr %.37.i, i64 64
  %.507.i.i = getelementptr i8, ptr %.37.i, i64 72
  %.198.i.i = getelementptr i8, ptr %.37.i, i64 56
  br label %B174.i.i

B174.i.i:                                         ; preds = %B1374.i.i, %B174.lr.ph.i.i
  %.12814.i.i = phi i64 [ 1, %B174.lr.ph.i.i ], [ %.128.i.i, %B1374.i.i ]
  %position.2.012.i.i = phi i64 [ %.26.i.i, %B174.lr.ph.i.i ], [ %.543.i.i, %B1374.i.i ]
  %.56.011.i.i = phi i64 [ 0, %B174.lr.ph.i.i ], [ %.12814.i.i, %B1374.i.i ]
  %.157.i.i = inttoptr i64 %position.2.012.i.i to ptr
  %.163.i.i = load i64, ptr %.157.i.i, align 8, !noalias !3
  %.164.i.i = icmp slt i64 %.163.i.i, 0
  br i1 %.164.i.i, label %B1374.sink.split.i.i, label %B254.i.i

B254.i.i:                                         ; preds = %B174.i.i
  %.180.i.i = getelementptr i64, ptr %.2, i64 %.163.i.i
  %.181.i.i = load i64, ptr %.180.i.i, align 8, !noalias !3
  %.186.i.i = getelementptr i8, ptr %.157.i.i, i64 8
  %.187.i.i = load i64, ptr %.186.i.i, align 8, !noalias !3
  %.188.i.i = icmp slt i64 %.187.i.i, 0
  br i1 %.188.i.i, label %B326.i.i, label %B590.i.i

B326.i.i:                                         ; preds = %B254.i.i
  %.193.i.i = add nsw i64 %.181.i.i, 8
  %.194.i.i = inttoptr i64 %.193.i.i to ptr
  %.196.i.i = load i64, ptr %.194.i.i, align 8, !noalias !3
  %.199.i.i = load i64, ptr %.198.i.i, align 8, !noalias !3
  %.200.not.i.i = icmp eq i64 %.196.i.i, %.199.i.i
  br i1 %.200.not.i.i, label %B420.i.i, label %read.exit.thread.i

B420.i.i:                                         ; preds = %B326.i.i
  %.224.i.i = call i64 @PyLong_AsLongLongAndOverflow(i64 %.181.i.i, i64 %.21.i.i), !noalias !3
  %.229.i.i = getelementptr i64, ptr %.60.i, i64 %.56.011.i.i
  store i64 %.224.i.i, ptr %.229.i.i, align 8, !noalias !3
  %.234.i.i = load i32, ptr %.20.i.i, align 64, !noalias !3
  %.236.not.i.i = icmp eq i32 %.234.i.i, 0
  br i1 %.236.not.i.i, label %B508.i.i, label %read.exit.thread.i

B508.i.i:                                         ; preds = %B420.i.i
  %.246.i.i = call i64 @llvm.abs.i64(i64 %.224.i.i, i1 false)
  %.249.i.i = load i64, ptr %.507.i.i, align 8, !noalias !3
  %.250.i.i = icmp sgt i64 %.246.i.i, %.249.i.i
  br i1 %.250.i.i, label %read.exit.thread.i, label %B1374.i.i

B590.i.i:                                         ; preds = %B254.i.i
  %.276.i.i = getelementptr i8, ptr %.157.i.i, i64 24
  %.277.i.i = load i64, ptr %.276.i.i, align 8, !noalias !3
  %.278.not.i.i = icmp eq i64 %.277.i.i, 0
  br i1 %.278.not.i.i, label %B806.i.i, label %B624.i.i

B624.i.i:                                         ; preds = %B590.i.i
  %.283.i.i = add nsw i64 %.181.i.i, 8
  %.284.i.i = inttoptr i64 %.283.i.i to ptr
  %.286.i.i = load i64, ptr %.284.i.i, align 8, !noalias !3
  %.290.not.i.i = icmp eq i64 %.286.i.i, %.277.i.i
  br i1 %.290.not.i.i, label %B718.i.i, label %read.exit.thread.i

B718.i.i:                                         ; preds = %B624.i.i
  %.315.i.i = getelementptr i8, ptr %.157.i.i, i64 32
  %.316.i.i = load i64, ptr %.315.i.i, align 8, !noalias !3
  %.318.i.i = add nsw i64 %.316.i.i, %.181.i.i
  %.321.i.i = inttoptr i64 %.318.i.i to ptr
  %.323.i.i = load i64, ptr %.321.i.i, align 8, !noalias !3
  %.326.i.i = icmp eq i64 %.323.i.i, 0
  br i1 %.326.i.i, label %read.exit.thread.i, label %B806.i.i

B806.i.i:                                         ; preds = %B718.i.i, %B590.i.i
  %thing.2.0.i.i = phi i64 [ %.181.i.i, %B590.i.i ], [ %.323.i.i, %B718.i.i ]
  %.353.i.i = add nsw i64 %thing.2.0.i.i, 8
  %.354.i.i = inttoptr i64 %.353.i.i to ptr
  %.356.i.i = load i64, ptr %.354.i.i, align 8, !noalias !3
  %.359.i.i = load i64, ptr %.358.i.i, align 8, !noalias !3
  %.360.not.i.i = icmp eq i64 %.356.i.i, %.359.i.i
  br i1 %.360.not.i.i, label %B900.i.i, label %read.exit.thread.i

B900.i.i:                                         ; preds = %B806.i.i
  %.385.i.i = add nsw i64 %thing.2.0.i.i, 24
  %.386.i.i = inttoptr i64 %.385.i.i to ptr
  %.388.i.i = load i32, ptr %.386.i.i, align 4, !noalias !3
  %.390.i.i = getelementptr i8, ptr %.157.i.i, i64 16
  %.391.i.i = load i64, ptr %.390.i.i, align 8, !noalias !3
  %.392.i.i = sext i32 %.388.i.i to i64
  %.393.not.i.i = icmp eq i64 %.391.i.i, %.392.i.i
  br i1 %.393.not.i.i, label %B994.i.i, label %read.exit.thread.i

B994.i.i:                                         ; preds = %B900.i.i
  %.418.i.i = getelementptr i8, ptr %.157.i.i, i64 40
  %.419.i.i = load i64, ptr %.418.i.i, align 8, !noalias !3
  %.420.i.i = icmp eq i64 %.419.i.i, 0
  br i1 %.420.i.i, label %B1028.i.i, label %B1148.i.i

B1028.i.i:                                        ; preds = %B994.i.i
  %.423.i.i = add nsw i64 %thing.2.0.i.i, 32
  %.426.i.i = inttoptr i64 %.423.i.i to ptr
  %.428.i.i = load i64, ptr %.426.i.i, align 8, !noalias !3
  %.429.i.i = inttoptr i64 %.428.i.i to ptr
  %.435.i.i = getelementptr i64, ptr %.429.i.i, i64 %.187.i.i
  %.436.i.i = load i64, ptr %.435.i.i, align 8, !noalias !3
  br label %B1298.i.i

B1148.i.i:                                        ; preds = %B994.i.i
  %.442.i.i = add nsw i64 %thing.2.0.i.i, 40
  %.445.i.i = inttoptr i64 %.442.i.i to ptr
  %.447.i.i = load i64, ptr %.445.i.i, align 8, !noalias !3
  %.448.i.i = inttoptr i64 %.447.i.i to ptr
  %.452.i.i = getelementptr i64, ptr %.448.i.i, i64 %.187.i.i
  %.453.i.i = load i64, ptr %.452.i.i, align 8, !noalias !3
  %.472.i.i = icmp ne i64 %.453.i.i, -9223372036854775808
  %.473.i.i = icmp ne i64 %.419.i.i, -1
  %.474.not.i.i = or i1 %.473.i.i, %.472.i.i
  br i1 %.474.not.i.i, label %B1148.else.if.i.i, label %B1298.i.i, !prof !6

B1298.i.i:                                        ; preds = %B1148.else.if.i.i, %B1148.i.i, %B1028.i.i
  %storemerge63.i.i = phi i64 [ %.436.i.i, %B1028.i.i ], [ %spec.select.i.i, %B1148.else.if.i.i ], [ 0, %B1148.i.i ]
  %.505.i.i = call i64 @llvm.abs.i64(i64 %storemerge63.i.i, i1 false)
  %.508.i.i = load i64, ptr %.507.i.i, align 8, !noalias !3
  %.509.i.i = icmp sgt i64 %.505.i.i, %.508.i.i
  br i1 %.509.i.i, label %read.exit.thread.i, label %B1374.sink.split.i.i

B1374.sink.split.i.i:                             ; preds = %B1298.i.i, %B174.i.i
  %storemerge63.sink.i.i = phi i64 [ %copy_address.0.i, %B174.i.i ], [ %storemerge63.i.i, %B1298.i.i ]
  %.534.i.i = getelementptr i64, ptr %.60.i, i64 %.56.011.i.i
  store i64 %storemerge63.sink.i.i, ptr %.534.i.i, align 8, !noalias !3
  br label %B1374.i.i

B1374.i.i:                                        ; preds = %B1374.sink.split.i.i, %B508.i.i
  %.543.i.i = add nsw i64 %position.2.012.i.i, 48
  %.128.i.i = add nuw i64 %.12814.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %.12814.i.i, %.32.i.i
  br i1 %exitcond.not.i.i, label %read.exit.i, label %B174.i.i

B1148.else.if.i.i:                                ; preds = %B1148.i.i
  %.477.i.i = sdiv i64 %.453.i.i, %.419.i.i
  %.478.i.i = srem i64 %.453.i.i, %.419.i.i
  %.479.i.i = xor i64 %.478.i.i, %.419.i.i
  %.480.i.i = icmp slt i64 %.479.i.i, 0
  %.481.i.i = icmp ne i64 %.478.i.i, 0
  %.482.i.i = and i1 %.481.i.i, %.480.i.i
  %.487.i.i = sext i1 %.482.i.i to i64
  %spec.select.i.i = add i64 %.477.i.i, %.487.i.i
  br label %B1298.i.i

read.exit.thread.i: ; preds = %B1298.i.i, %B900.i.i, %B806.i.i, %B718.i.i, %B624.i.i, %B508.i.i, %B420.i.i, %B326.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.20.i.i), !noalias !0
  br label %B608.i

read.exit.i: ; preds = %B1374.i.i, %B468.i
  %position.2.0.lcssa.sink.i.i = phi i64 [ %.26.i.i, %B468.i ], [ %.543.i.i, %B1374.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.20.i.i), !noalias !0
  %.130.not.i = icmp eq i64 %position.2.0.lcssa.sink.i.i, 0
  br i1 %.130.not.i, label %B608.i, label %B516.i

B516.i:                                           ; preds = %read.exit.i
  %.18.i.i = load i64, ptr %.31.i.i, align 8, !noalias !7
  %.20.i23.i = getelementptr i8, ptr %.37.i, i64 24
  %.21.i24.i = load i64, ptr %.20.i23.i, align 8, !noalias !7
  %.58.i.i = sub i64 %.21.i24.i, %.18.i.i
  %.1033.not.i.i = icmp slt i64 %.58.i.i, 1
  br i1 %.1033.not.i.i, label %made.exit.i, label %B112.lr.ph.i.i

B112.lr.ph.i.i:                                   ; preds = %B516.i
  %.256.i.i = getelementptr i8, ptr %.37.i, i64 72
  br label %B112.i.i

B112.i.i:                                         ; preds = %B540.i.i, %B112.lr.ph.i.i
  %.1128.in.i.i = phi i64 [ %.58.i.i, %B112.lr.ph.i.i ], [ %.1128.i.i, %B540.i.i ]
  %position.2.07.i.i = phi i64 [ %position.2.0.lcssa.sink.i.i, %B112.lr.ph.i.i ], [ %.10.i129.i.i, %B540.i.i ]
  %.45.06.i.i = phi i64 [ %.18.i.i, %B112.lr.ph.i.i ], [ %.1169.i.i, %B540.i.i ]
  %.1128.i.i = add nsw i64 %.1128.in.i.i, -1
  %.1169.i.i = add i64 %.45.06.i.i, 1
  %.145.i.i = inttoptr i64 %position.2.07.i.i to ptr
  %.147.i.i = load i64, ptr %.145.i.i, align 8, !noalias !7
  %.153.i.i = add nsw i64 %position.2.07.i.i, 8
  %.5.i.i.i = inttoptr i64 %.153.i.i to ptr
  %.6.i.i.i = getelementptr i8, ptr %.5.i.i.i, i64 8
  %.7.i.i.i = load i64, ptr %.6.i.i.i, align 8, !noalias !10
  %.8.i.i.i = shl i64 %.7.i.i.i, 4
  %.9.i.i.i = add i64 %position.2.07.i.i, 24
  %.10.i.i.i = add i64 %.9.i.i.i, %.8.i.i.i
  %.14.i.i.i = load i64, ptr %.5.i.i.i, align 8, !noalias !13
  %.1021.not.i.i.i = icmp slt i64 %.7.i.i.i, 1
  br i1 %.1021.not.i.i.i, label %value.exit.i.i, label %B94.i.i.i.preheader

B94.i.i.i.preheader:                              ; preds = %B112.i.i
  %xtraiter = and i64 %.7.i.i.i, 1
  %0 = icmp eq i64 %.7.i.i.i, 1
  br i1 %0, label %B94.i.i.i.epil.preheader, label %B94.i.i.i.preheader.new

B94.i.i.i.preheader.new:                          ; preds = %B94.i.i.i.preheader
  %unroll_iter = and i64 %.7.i.i.i, 9223372036854775806
  br label %B94.i.i.i

B94.i.i.i:                                        ; preds = %B94.i.i.i, %B94.i.i.i.preheader.new
  %total.2.04.i.i.i = phi i64 [ %.14.i.i.i, %B94.i.i.i.preheader.new ], [ %.155.i.i.i.1, %B94.i.i.i ]
  %.44.02.i.i.i = phi i64 [ 0, %B94.i.i.i.preheader.new ], [ %.115.i.i.i.1, %B94.i.i.i ]
  %niter = phi i64 [ 0, %B94.i.i.i.preheader.new ], [ %niter.next.1, %B94.i.i.i ]
  %1 = shl i64 %.44.02.i.i.i, 4
  %2 = getelementptr i8, ptr %.5.i.i.i, i64 %1
  %.143.i.i.i = getelementptr i8, ptr %2, i64 16
  %.144.i.i.i = load i64, ptr %.143.i.i.i, align 8, !noalias !13
  %.148.i.i.i = getelementptr i8, ptr %2, i64 24
  %.149.i.i.i = load i64, ptr %.148.i.i.i, align 8, !noalias !13
  %.151.i.i.i = getelementptr i64, ptr %.60.i, i64 %.149.i.i.i
  %.152.i.i.i = load i64, ptr %.151.i.i.i, align 8, !noalias !13
  %.153.i.i.i = mul nsw i64 %.152.i.i.i, %.144.i.i.i
  %.155.i.i.i = add nsw i64 %.153.i.i.i, %total.2.04.i.i.i
  %.115.i.i.i = shl i64 %.44.02.i.i.i, 4
  %.115.i.i.i.1 = add nuw nsw i64 %.44.02.i.i.i, 2
  %3 = getelementptr i8, ptr %.5.i.i.i, i64 %.115.i.i.i
  %.143.i.i.i.1 = getelementptr i8, ptr %3, i64 32
  %.144.i.i.i.1 = load i64, ptr %.143.i.i.i.1, align 8, !noalias !13
  %.148.i.i.i.1 = getelementptr i8, ptr %3, i64 40
  %.149.i.i.i.1 = load i64, ptr %.148.i.i.i.1, align 8, !noalias !13
  %.151.i.i.i.1 = getelementptr i64, ptr %.60.i, i64 %.149.i.i.i.1
  %.152.i.i.i.1 = load i64, ptr %.151.i.i.i.1, align 8, !noalias !13
  %.153.i.i.i.1 = mul nsw i64 %.152.i.i.i.1, %.144.i.i.i.1
  %.155.i.i.i.1 = add nsw i64 %.153.i.i.i.1, %.155.i.i.i
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %value.exit.i.i.loopexit.unr-lcssa, label %B94.i.i.i

value.exit.i.i.loopexit.unr-lcssa: ; preds = %B94.i.i.i
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %value.exit.i.i, label %B94.i.i.i.epil.preheader

B94.i.i.i.epil.preheader:                         ; preds = %value.exit.i.i.loopexit.unr-lcssa, %B94.i.i.i.preheader
  %total.2.04.i.i.i.epil.init = phi i64 [ %.14.i.i.i, %B94.i.i.i.preheader ], [ %.155.i.i.i.1, %value.exit.i.i.loopexit.unr-lcssa ]
  %.44.02.i.i.i.epil.init = phi i64 [ 0, %B94.i.i.i.preheader ], [ %.115.i.i.i.1, %value.exit.i.i.loopexit.unr-lcssa ]
  %lcmp.mod12 = icmp ne i64 %xtraiter, 0
  call void @llvm.assume(i1 %lcmp.mod12)
  %4 = shl i64 %.44.02.i.i.i.epil.init, 4
  %5 = getelementptr i8, ptr %.5.i.i.i, i64 %4
  %.143.i.i.i.epil = getelementptr i8, ptr %5, i64 16
  %.144.i.i.i.epil = load i64, ptr %.143.i.i.i.epil, align 8, !noalias !13
  %.148.i.i.i.epil = getelementptr i8, ptr %5, i64 24
  %.149.i.i.i.epil = load i64, ptr %.148.i.i.i.epil, align 8, !noalias !13
  %.151.i.i.i.epil = getelementptr i64, ptr %.60.i, i64 %.149.i.i.i.epil
  %.152.i.i.i.epil = load i64, ptr %.151.i.i.i.epil, align 8, !noalias !13
  %.153.i.i.i.epil = mul nsw i64 %.152.i.i.i.epil, %.144.i.i.i.epil
  %.155.i.i.i.epil = add nsw i64 %.153.i.i.i.epil, %total.2.04.i.i.i.epil.init
  br label %value.exit.i.i

value.exit.i.i: ; preds = %B94.i.i.i.epil.preheader, %value.exit.i.i.loopexit.unr-lcssa, %B112.i.i
  %total.2.0.lcssa.i.i.i = phi i64 [ %.14.i.i.i, %B112.i.i ], [ %.155.i.i.i.1, %value.exit.i.i.loopexit.unr-lcssa ], [ %.155.i.i.i.epil, %B94.i.i.i.epil.preheader ]
  %.8.i104.i.i = inttoptr i64 %.10.i.i.i to ptr
  %.14.i105.i.i = load i64, ptr %.8.i104.i.i, align 8, !noalias !16
  %.19.i106.i.i = getelementptr i8, ptr %.8.i104.i.i, i64 8
  %.20.i107.i.i = load i64, ptr %.19.i106.i.i, align 8, !noalias !16
  %.1021.not.i108.i.i = icmp slt i64 %.20.i107.i.i, 1
  br i1 %.1021.not.i108.i.i, label %value.exit123.i.i, label %B94.i109.i.i.preheader

B94.i109.i.i.preheader:                           ; preds = %value.exit.i.i
  %xtraiter13 = and i64 %.20.i107.i.i, 1
  %6 = icmp eq i64 %.20.i107.i.i, 1
  br i1 %6, label %B94.i109.i.i.epil.preheader, label %B94.i109.i.i.preheader.new

B94.i109.i.i.preheader.new:                       ; preds = %B94.i109.i.i.preheader
  %unroll_iter17 = and i64 %.20.i107.i.i, 9223372036854775806
  br label %B94.i109.i.i

B94.i109.i.i:                                     ; preds = %B94.i109.i.i, %B94.i109.i.i.preheader.new
  %total.2.04.i110.i.i = phi i64 [ %.14.i105.i.i, %B94.i109.i.i.preheader.new ], [ %.155.i120.i.i.1, %B94.i109.i.i ]
  %.44.02.i111.i.i = phi i64 [ 0, %B94.i109.i.i.preheader.new ], [ %.115.i112.i.i.1, %B94.i109.i.i ]
  %niter18 = phi i64 [ 0, %B94.i109.i.i.preheader.new ], [ %niter18.next.1, %B94.i109.i.i ]
  %7 = shl i64 %.44.02.i111.i.i, 4
  %8 = getelementptr i8, ptr %.8.i104.i.i, i64 %7
  %.143.i113.i.i = getelementptr i8, ptr %8, i64 16
  %.144.i114.i.i = load i64, ptr %.143.i113.i.i, align 8, !noalias !16
  %.148.i115.i.i = getelementptr i8, ptr %8, i64 24
  %.149.i116.i.i = load i64, ptr %.148.i115.i.i, align 8, !noalias !16
  %.151.i117.i.i = getelementptr i64, ptr %.60.i, i64 %.149.i116.i.i
  %.152.i118.i.i = load i64, ptr %.151.i117.i.i, align 8, !noalias !16
  %.153.i119.i.i = mul nsw i64 %.152.i118.i.i, %.144.i114.i.i
  %.155.i120.i.i = add nsw i64 %.153.i119.i.i, %total.2.04.i110.i.i
  %.115.i112.i.i = shl i64 %.44.02.i111.i.i, 4
  %.115.i112.i.i.1 = add nuw nsw i64 %.44.02.i111.i.i, 2
  %9 = getelementptr i8, ptr %.8.i104.i.i, i64 %.115.i112.i.i
  %.143.i113.i.i.1 = getelementptr i8, ptr %9, i64 32
  %.144.i114.i.i.1 = load i64, ptr %.143.i113.i.i.1, align 8, !noalias !16
  %.148.i115.i.i.1 = getelementptr i8, ptr %9, i64 40
  %.149.i116.i.i.1 = load i64, ptr %.148.i115.i.i.1, align 8, !noalias !16
  %.151.i117.i.i.1 = getelementptr i64, ptr %.60.i, i64 %.149.i116.i.i.1
  %.152.i118.i.i.1 = load i64, ptr %.151.i117.i.i.1, align 8, !noalias !16
  %.153.i119.i.i.1 = mul nsw i64 %.152.i118.i.i.1, %.144.i114.i.i.1
  %.155.i120.i.i.1 = add nsw i64 %.153.i119.i.i.1, %.155.i120.i.i
  %niter18.next.1 = add i64 %niter18, 2
  %niter18.ncmp.1 = icmp eq i64 %niter18.next.1, %unroll_iter17
  br i1 %niter18.ncmp.1, label %value.exit123.i.i.loopexit.unr-lcssa, label %B94.i109.i.i

value.exit123.i.i.loopexit.unr-lcssa: ; preds = %B94.i109.i.i
  %lcmp.mod14.not = icmp eq i64 %xtraiter13, 0
  br i1 %lcmp.mod14.not, label %value.exit123.i.i, label %B94.i109.i.i.epil.preheader

B94.i109.i.i.epil.preheader:                      ; preds = %value.exit123.i.i.loopexit.unr-lcssa, %B94.i109.i.i.preheader
  %total.2.04.i110.i.i.epil.init = phi i64 [ %.14.i105.i.i, %B94.i109.i.i.preheader ], [ %.155.i120.i.i.1, %value.exit123.i.i.loopexit.unr-lcssa ]
  %.44.02.i111.i.i.epil.init = phi i64 [ 0, %B94.i109.i.i.preheader ], [ %.115.i112.i.i.1, %value.exit123.i.i.loopexit.unr-lcssa ]
  %lcmp.mod16 = icmp ne i64 %xtraiter13, 0
  call void @llvm.assume(i1 %lcmp.mod16)
  %10 = shl i64 %.44.02.i111.i.i.epil.init, 4
  %11 = getelementptr i8, ptr %.8.i104.i.i, i64 %10
  %.143.i113.i.i.epil = getelementptr i8, ptr %11, i64 16
  %.144.i114.i.i.epil = load i64, ptr %.143.i113.i.i.epil, align 8, !noalias !16
  %.148.i115.i.i.epil = getelementptr i8, ptr %11, i64 24
  %.149.i116.i.i.epil = load i64, ptr %.148.i115.i.i.epil, align 8, !noalias !16
  %.151.i117.i.i.epil = getelementptr i64, ptr %.60.i, i64 %.149.i116.i.i.epil
  %.152.i118.i.i.epil = load i64, ptr %.151.i117.i.i.epil, align 8, !noalias !16
  %.153.i119.i.i.epil = mul nsw i64 %.152.i118.i.i.epil, %.144.i114.i.i.epil
  %.155.i120.i.i.epil = add nsw i64 %.153.i119.i.i.epil, %total.2.04.i110.i.i.epil.init
  br label %value.exit123.i.i

value.exit123.i.i: ; preds = %B94.i109.i.i.epil.preheader, %value.exit123.i.i.loopexit.unr-lcssa, %value.exit.i.i
  %total.2.0.lcssa.i122.i.i = phi i64 [ %.14.i105.i.i, %value.exit.i.i ], [ %.155.i120.i.i.1, %value.exit123.i.i.loopexit.unr-lcssa ], [ %.155.i120.i.i.epil, %B94.i109.i.i.epil.preheader ]
  %.245.i.i = icmp eq i64 %.147.i.i, 2
  br i1 %.245.i.i, label %B284.i.i, label %B452.i.i

B284.i.i:                                         ; preds = %value.exit123.i.i
  %.250.i26.i = sitofp i64 %total.2.0.lcssa.i.i.i to double
  %.252.i.i = sitofp i64 %total.2.0.lcssa.i122.i.i to double
  %.253.i.i = fmul double %.250.i26.i, %.252.i.i
  %.254.i.i = call double @llvm.fabs.f64(double %.253.i.i)
  %.257.i.i = load i64, ptr %.256.i.i, align 8, !noalias !7
  %.258.i.i = sitofp i64 %.257.i.i to double
  %.259.i.i = fcmp ogt double %.254.i.i, %.258.i.i
  br i1 %.259.i.i, label %B608.i, label %B434.i.i

B434.i.i:                                         ; preds = %B284.i.i
  %.279.i.i = mul nsw i64 %total.2.0.lcssa.i122.i.i, %total.2.0.lcssa.i.i.i
  br label %B540.i.i

B452.i.i:                                         ; preds = %value.exit123.i.i
  %.292.i.i = icmp slt i64 %total.2.0.lcssa.i.i.i, 0
  %.295.i.i = icmp slt i64 %total.2.0.lcssa.i122.i.i, 1
  %or.cond.i.i = select i1 %.292.i.i, i1 true, i1 %.295.i.i
  br i1 %or.cond.i.i, label %B608.i, label %B482.else.if.i.i

B540.i.i:                                         ; preds = %B482.else.if.i.i, %B434.i.i
  %storemerge75.sink.i.i = phi i64 [ %storemerge75.i.i, %B482.else.if.i.i ], [ %.279.i.i, %B434.i.i ]
  %.393.i.i = getelementptr i64, ptr %.60.i, i64 %.45.06.i.i
  store i64 %storemerge75.sink.i.i, ptr %.393.i.i, align 8, !noalias !7
  %.8.i127.i.i = shl i64 %.20.i107.i.i, 4
  %.9.i128.i.i = add i64 %.10.i.i.i, 16
  %.10.i129.i.i = add i64 %.9.i128.i.i, %.8.i127.i.i
  %.103.i.i = icmp samesign ugt i64 %.1128.in.i.i, 1
  br i1 %.103.i.i, label %B112.i.i, label %made.exit.i

B482.else.if.i.i:                                 ; preds = %B452.i.i
  %.335.i.i = udiv i64 %total.2.0.lcssa.i.i.i, %total.2.0.lcssa.i122.i.i
  %.361.i.i = icmp eq i64 %.147.i.i, 0
  %.378.i.i = mul nuw nsw i64 %.335.i.i, %total.2.0.lcssa.i122.i.i
  %.384.i.i.recomposed = urem i64 %total.2.0.lcssa.i.i.i, %total.2.0.lcssa.i122.i.i
  %storemerge75.i.i = select i1 %.361.i.i, i64 %.335.i.i, i64 %.384.i.i.recomposed
  br label %B540.i.i

made.exit.i: ; preds = %B540.i.i, %B516.i
  %position.2.0.lcssa.sink.i25.i = phi i64 [ %position.2.0.lcssa.sink.i.i, %B516.i ], [ %.10.i129.i.i, %B540.i.i ]
  %.164.not.i = icmp eq i64 %position.2.0.lcssa.sink.i25.i, 0
  br i1 %.164.not.i, label %B608.i, label %B562.i

B562.i:                                           ; preds = %made.exit.i
  %12 = getelementptr i8, ptr %.37.i, i64 32
  %.37.val.i = load i64, ptr %12, align 8, !noalias !0
  %.975.i.i = icmp sgt i64 %.37.val.i, 0
  br i1 %.975.i.i, label %B88.preheader.i.i, label %B666.i

B88.preheader.i.i:                                ; preds = %B562.i
  %.42.27.i.i = add nsw i64 %.37.val.i, -1
  br label %B88.i.i

B88.i.i:                                          ; preds = %B318.i.i, %B88.preheader.i.i
  %.42.29.i.i = phi i64 [ %.42.2.i.i, %B318.i.i ], [ %.42.27.i.i, %B88.preheader.i.i ]
  %position.2.08.i.i = phi i64 [ %.10.i.i54.i, %B318.i.i ], [ %position.2.0.lcssa.sink.i25.i, %B88.preheader.i.i ]
  %.136.i.i = inttoptr i64 %position.2.08.i.i to ptr
  %.141.i.i = getelementptr i8, ptr %.136.i.i, i64 16
  %.142.i.i = load i64, ptr %.141.i.i, align 8, !noalias !19
  %.147.i28.i = shl i64 %.142.i.i, 3
  %.148.i.i = add i64 %position.2.08.i.i, 24
  %.150.i.i = add i64 %.148.i.i, %.147.i28.i
  %.8.i.i29.i = inttoptr i64 %.150.i.i to ptr
  %.14.i.i30.i = load i64, ptr %.8.i.i29.i, align 8, !noalias !22
  %.19.i.i.i = getelementptr i8, ptr %.8.i.i29.i, i64 8
  %.20.i.i.i = load i64, ptr %.19.i.i.i, align 8, !noalias !22
  %.1021.not.i.i31.i = icmp slt i64 %.20.i.i.i, 1
  br i1 %.1021.not.i.i31.i, label %value.exit.i45.i, label %B94.i.i32.i.preheader

B94.i.i32.i.preheader:                            ; preds = %B88.i.i
  %xtraiter19 = and i64 %.20.i.i.i, 1
  %13 = icmp eq i64 %.20.i.i.i, 1
  br i1 %13, label %B94.i.i32.i.epil.preheader, label %B94.i.i32.i.preheader.new

B94.i.i32.i.preheader.new:                        ; preds = %B94.i.i32.i.preheader
  %unroll_iter23 = and i64 %.20.i.i.i, 9223372036854775806
  br label %B94.i.i32.i

B94.i.i32.i:                                      ; preds = %B94.i.i32.i, %B94.i.i32.i.preheader.new
  %total.2.04.i.i33.i = phi i64 [ %.14.i.i30.i, %B94.i.i32.i.preheader.new ], [ %.155.i.i43.i.1, %B94.i.i32.i ]
  %.44.02.i.i34.i = phi i64 [ 0, %B94.i.i32.i.preheader.new ], [ %.115.i.i35.i.1, %B94.i.i32.i ]
  %niter24 = phi i64 [ 0, %B94.i.i32.i.preheader.new ], [ %niter24.next.1, %B94.i.i32.i ]
  %14 = shl i64 %.44.02.i.i34.i, 4
  %15 = getelementptr i8, ptr %.8.i.i29.i, i64 %14
  %.143.i.i36.i = getelementptr i8, ptr %15, i64 16
  %.144.i.i37.i = load i64, ptr %.143.i.i36.i, align 8, !noalias !22
  %.148.i.i38.i = getelementptr i8, ptr %15, i64 24
  %.149.i.i39.i = load i64, ptr %.148.i.i38.i, align 8, !noalias !22
  %.151.i.i40.i = getelementptr i64, ptr %.60.i, i64 %.149.i.i39.i
  %.152.i.i41.i = load i64, ptr %.151.i.i40.i, align 8, !noalias !22
  %.153.i.i42.i = mul nsw i64 %.152.i.i41.i, %.144.i.i37.i
  %.155.i.i43.i = add nsw i64 %.153.i.i42.i, %total.2.04.i.i33.i
  %.115.i.i35.i = shl i64 %.44.02.i.i34.i, 4
  %.115.i.i35.i.1 = add nuw nsw i64 %.44.02.i.i34.i, 2
  %16 = getelementptr i8, ptr %.8.i.i29.i, i64 %.115.i.i35.i
  %.143.i.i36.i.1 = getelementptr i8, ptr %16, i64 32
  %.144.i.i37.i.1 = load i64, ptr %.143.i.i36.i.1, align 8, !noalias !22
  %.148.i.i38.i.1 = getelementptr i8, ptr %16, i64 40
  %.149.i.i39.i.1 = load i64, ptr %.148.i.i38.i.1, align 8, !noalias !22
  %.151.i.i40.i.1 = getelementptr i64, ptr %.60.i, i64 %.149.i.i39.i.1
  %.152.i.i41.i.1 = load i64, ptr %.151.i.i40.i.1, align 8, !noalias !22
  %.153.i.i42.i.1 = mul nsw i64 %.152.i.i41.i.1, %.144.i.i37.i.1
  %.155.i.i43.i.1 = add nsw i64 %.153.i.i42.i.1, %.155.i.i43.i
  %niter24.next.1 = add i64 %niter24, 2
  %niter24.ncmp.1 = icmp eq i64 %niter24.next.1, %unroll_iter23
  br i1 %niter24.ncmp.1, label %value.exit.i45.i.loopexit.unr-lcssa, label %B94.i.i32.i

value.exit.i45.i.loopexit.unr-lcssa: ; preds = %B94.i.i32.i
  %lcmp.mod20.not = icmp eq i64 %xtraiter19, 0
  br i1 %lcmp.mod20.not, label %value.exit.i45.i, label %B94.i.i32.i.epil.preheader

B94.i.i32.i.epil.preheader:                       ; preds = %value.exit.i45.i.loopexit.unr-lcssa, %B94.i.i32.i.preheader
  %total.2.04.i.i33.i.epil.init = phi i64 [ %.14.i.i30.i, %B94.i.i32.i.preheader ], [ %.155.i.i43.i.1, %value.exit.i45.i.loopexit.unr-lcssa ]
  %.44.02.i.i34.i.epil.init = phi i64 [ 0, %B94.i.i32.i.preheader ], [ %.115.i.i35.i.1, %value.exit.i45.i.loopexit.unr-lcssa ]
  %lcmp.mod22 = icmp ne i64 %xtraiter19, 0
  call void @llvm.assume(i1 %lcmp.mod22)
  %17 = shl i64 %.44.02.i.i34.i.epil.init, 4
  %18 = getelementptr i8, ptr %.8.i.i29.i, i64 %17
  %.143.i.i36.i.epil = getelementptr i8, ptr %18, i64 16
  %.144.i.i37.i.epil = load i64, ptr %.143.i.i36.i.epil, align 8, !noalias !22
  %.148.i.i38.i.epil = getelementptr i8, ptr %18, i64 24
  %.149.i.i39.i.epil = load i64, ptr %.148.i.i38.i.epil, align 8, !noalias !22
  %.151.i.i40.i.epil = getelementptr i64, ptr %.60.i, i64 %.149.i.i39.i.epil
  %.152.i.i41.i.epil = load i64, ptr %.151.i.i40.i.epil, align 8, !noalias !22
  %.153.i.i42.i.epil = mul nsw i64 %.152.i.i41.i.epil, %.144.i.i37.i.epil
  %.155.i.i43.i.epil = add nsw i64 %.153.i.i42.i.epil, %total.2.04.i.i33.i.epil.init
  br label %value.exit.i45.i

value.exit.i45.i: ; preds = %B94.i.i32.i.epil.preheader, %value.exit.i45.i.loopexit.unr-lcssa, %B88.i.i
  %total.2.0.lcssa.i.i46.i = phi i64 [ %.14.i.i30.i, %B88.i.i ], [ %.155.i.i43.i.1, %value.exit.i45.i.loopexit.unr-lcssa ], [ %.155.i.i43.i.epil, %B94.i.i32.i.epil.preheader ]
  %.188.i47.i = load i64, ptr %.136.i.i, align 8, !noalias !19
  %.190.i.i = icmp slt i64 %total.2.0.lcssa.i.i46.i, %.188.i47.i
  br i1 %.190.i.i, label %B608.i, label %B214.i.i

B214.i.i:                                         ; preds = %value.exit.i45.i
  %.193.i48.i = getelementptr i8, ptr %.136.i.i, i64 8
  %.194.i49.i = load i64, ptr %.193.i48.i, align 8, !noalias !19
  %.196.i50.i = icmp sgt i64 %total.2.0.lcssa.i.i46.i, %.194.i49.i
  br i1 %.196.i50.i, label %B608.i, label %B244.endif.i.i

B274.i.i:                                         ; preds = %B244.endif.i.i, %B276.i.i
  %.238.0.i.i = phi i64 [ 0, %B244.endif.i.i ], [ %.307.i.i, %B276.i.i ]
  %exitcond.not.i51.i = icmp eq i64 %.238.0.i.i, %spec.select2.i.i
  br i1 %exitcond.not.i51.i, label %B318.i.i, label %B276.i.i

B276.i.i:                                         ; preds = %B274.i.i
  %.307.i.i = add nuw i64 %.238.0.i.i, 1
  %19 = getelementptr i64, ptr %.136.i.i, i64 %.238.0.i.i
  %.334.i.i = getelementptr i8, ptr %19, i64 24
  %.335.i52.i = load i64, ptr %.334.i.i, align 8, !noalias !19
  %.337.i.i = icmp eq i64 %total.2.0.lcssa.i.i46.i, %.335.i52.i
  br i1 %.337.i.i, label %B608.i, label %B274.i.i

B318.i.i:                                         ; preds = %B274.i.i
  %.8.i146.i.i = shl i64 %.20.i.i.i, 4
  %.9.i.i53.i = add i64 %.150.i.i, 16
  %.10.i.i54.i = add i64 %.9.i.i53.i, %.8.i146.i.i
  %.97.i.i = icmp sgt i64 %.42.29.i.i, 0
  %.106.i.i = sext i1 %.97.i.i to i64
  %.42.2.i.i = add nsw i64 %.42.29.i.i, %.106.i.i
  br i1 %.97.i.i, label %B88.i.i, label %asked.exit.i

B244.endif.i.i:                                   ; preds = %B214.i.i
  %spec.select2.i.i = call i64 @llvm.smax.i64(i64 %.142.i.i, i64 0)
  br label %B274.i.i

asked.exit.i: ; preds = %B318.i.i
  %.198.i = icmp eq i64 %.10.i.i54.i, 0
  br i1 %.198.i, label %B608.i, label %B666.i

B608.i:                                           ; preds = %B452.i.i, %B284.i.i, %B214.i.i, %value.exit.i45.i, %B276.i.i, %asked.exit.i, %made.exit.i, %read.exit.i, %read.exit.thread.i
  %.201.i = getelementptr i8, ptr %.19.i, i64 24
  %.202.i = load i64, ptr %.201.i, align 8, !noalias !0
  %.207.i = call ptr @Py_IncRef(i64 %.202.i), !noalias !0
  br label %B1018.i

B666.i:                                           ; preds = %asked.exit.i, %B562.i
  %position.2.0.lcssa.sink.i2710.i = phi i64 [ %.10.i.i54.i, %asked.exit.i ], [ %position.2.0.lcssa.sink.i25.i, %B562.i ]
  %.213.i = call i64 @memcpy(i64 %copy_address.0.i, i64 %.14.i, i64 %.30.i), !noalias !0
  %.20.i55.i = inttoptr i64 %copy_address.0.i to ptr
  %.25.i.i = getelementptr i8, ptr %.37.i, i64 40
  %.26.i56.i = load i64, ptr %.25.i.i, align 8, !noalias !25
  %.1083.not.i.i = icmp slt i64 %.26.i56.i, 1
  br i1 %.1083.not.i.i, label %B240.i.i, label %B118.i.i

B118.i.i:                                         ; preds = %B666.i, %value.exit.i76.i
  %.1176.in.i.i = phi i64 [ %.1176.i.i, %value.exit.i76.i ], [ %.26.i56.i, %B666.i ]
  %position.3.05.i.i = phi i64 [ %.10.i.i80.i, %value.exit.i76.i ], [ %position.2.0.lcssa.sink.i2710.i, %B666.i ]
  %.1176.i.i = add nsw i64 %.1176.in.i.i, -1
  %.148.i57.i = add nsw i64 %position.3.05.i.i, 8
  %.8.i.i58.i = inttoptr i64 %.148.i57.i to ptr
  %.14.i.i59.i = load i64, ptr %.8.i.i58.i, align 8, !noalias !28
  %.19.i.i60.i = getelementptr i8, ptr %.8.i.i58.i, i64 8
  %.20.i.i61.i = load i64, ptr %.19.i.i60.i, align 8, !noalias !28
  %.1021.not.i.i62.i = icmp slt i64 %.20.i.i61.i, 1
  br i1 %.1021.not.i.i62.i, label %value.exit.i76.i, label %B94.i.i63.i.preheader

B94.i.i63.i.preheader:                            ; preds = %B118.i.i
  %xtraiter25 = and i64 %.20.i.i61.i, 1
  %20 = icmp eq i64 %.20.i.i61.i, 1
  br i1 %20, label %B94.i.i63.i.epil.preheader, label %B94.i.i63.i.preheader.new

B94.i.i63.i.preheader.new:                        ; preds = %B94.i.i63.i.preheader
  %unroll_iter29 = and i64 %.20.i.i61.i, 9223372036854775806
  br label %B94.i.i63.i

B94.i.i63.i:                                      ; preds = %B94.i.i63.i, %B94.i.i63.i.preheader.new
  %total.2.04.i.i64.i = phi i64 [ %.14.i.i59.i, %B94.i.i63.i.preheader.new ], [ %.155.i.i74.i.1, %B94.i.i63.i ]
  %.44.02.i.i65.i = phi i64 [ 0, %B94.i.i63.i.preheader.new ], [ %.115.i.i66.i.1, %B94.i.i63.i ]
  %niter30 = phi i64 [ 0, %B94.i.i63.i.preheader.new ], [ %niter30.next.1, %B94.i.i63.i ]
  %21 = shl i64 %.44.02.i.i65.i, 4
  %22 = getelementptr i8, ptr %.8.i.i58.i, i64 %21
  %.143.i.i67.i = getelementptr i8, ptr %22, i64 16
  %.144.i.i68.i = load i64, ptr %.143.i.i67.i, align 8, !noalias !28
  %.148.i.i69.i = getelementptr i8, ptr %22, i64 24
  %.149.i.i70.i = load i64, ptr %.148.i.i69.i, align 8, !noalias !28
  %.151.i.i71.i = getelementptr i64, ptr %.60.i, i64 %.149.i.i70.i
  %.152.i.i72.i = load i64, ptr %.151.i.i71.i, align 8, !noalias !28
  %.153.i.i73.i = mul nsw i64 %.152.i.i72.i, %.144.i.i68.i
  %.155.i.i74.i = add nsw i64 %.153.i.i73.i, %total.2.04.i.i64.i
  %.115.i.i66.i = shl i64 %.44.02.i.i65.i, 4
  %.115.i.i66.i.1 = add nuw nsw i64 %.44.02.i.i65.i, 2
  %23 = getelementptr i8, ptr %.8.i.i58.i, i64 %.115.i.i66.i
  %.143.i.i67.i.1 = getelementptr i8, ptr %23, i64 32
  %.144.i.i68.i.1 = load i64, ptr %.143.i.i67.i.1, align 8, !noalias !28
  %.148.i.i69.i.1 = getelementptr i8, ptr %23, i64 40
  %.149.i.i70.i.1 = load i64, ptr %.148.i.i69.i.1, align 8, !noalias !28
  %.151.i.i71.i.1 = getelementptr i64, ptr %.60.i, i64 %.149.i.i70.i.1
  %.152.i.i72.i.1 = load i64, ptr %.151.i.i71.i.1, align 8, !noalias !28
  %.153.i.i73.i.1 = mul nsw i64 %.152.i.i72.i.1, %.144.i.i68.i.1
  %.155.i.i74.i.1 = add nsw i64 %.153.i.i73.i.1, %.155.i.i74.i
  %niter30.next.1 = add i64 %niter30, 2
  %niter30.ncmp.1 = icmp eq i64 %niter30.next.1, %unroll_iter29
  br i1 %niter30.ncmp.1, label %value.exit.i76.i.loopexit.unr-lcssa, label %B94.i.i63.i

value.exit.i76.i.loopexit.unr-lcssa: ; preds = %B94.i.i63.i
  %lcmp.mod26.not = icmp eq i64 %xtraiter25, 0
  br i1 %lcmp.mod26.not, label %value.exit.i76.i, label %B94.i.i63.i.epil.preheader

B94.i.i63.i.epil.preheader:                       ; preds = %value.exit.i76.i.loopexit.unr-lcssa, %B94.i.i63.i.preheader
  %total.2.04.i.i64.i.epil.init = phi i64 [ %.14.i.i59.i, %B94.i.i63.i.preheader ], [ %.155.i.i74.i.1, %value.exit.i76.i.loopexit.unr-lcssa ]
  %.44.02.i.i65.i.epil.init = phi i64 [ 0, %B94.i.i63.i.preheader ], [ %.115.i.i66.i.1, %value.exit.i76.i.loopexit.unr-lcssa ]
  %lcmp.mod28 = icmp ne i64 %xtraiter25, 0
  call void @llvm.assume(i1 %lcmp.mod28)
  %24 = shl i64 %.44.02.i.i65.i.epil.init, 4
  %25 = getelementptr i8, ptr %.8.i.i58.i, i64 %24
  %.143.i.i67.i.epil = getelementptr i8, ptr %25, i64 16
  %.144.i.i68.i.epil = load i64, ptr %.143.i.i67.i.epil, align 8, !noalias !28
  %.148.i.i69.i.epil = getelementptr i8, ptr %25, i64 24
  %.149.i.i70.i.epil = load i64, ptr %.148.i.i69.i.epil, align 8, !noalias !28
  %.151.i.i71.i.epil = getelementptr i64, ptr %.60.i, i64 %.149.i.i70.i.epil
  %.152.i.i72.i.epil = load i64, ptr %.151.i.i71.i.epil, align 8, !noalias !28
  %.153.i.i73.i.epil = mul nsw i64 %.152.i.i72.i.epil, %.144.i.i68.i.epil
  %.155.i.i74.i.epil = add nsw i64 %.153.i.i73.i.epil, %total.2.04.i.i64.i.epil.init
  br label %value.exit.i76.i

value.exit.i76.i: ; preds = %B94.i.i63.i.epil.preheader, %value.exit.i76.i.loopexit.unr-lcssa, %B118.i.i
  %total.2.0.lcssa.i.i77.i = phi i64 [ %.14.i.i59.i, %B118.i.i ], [ %.155.i.i74.i.1, %value.exit.i76.i.loopexit.unr-lcssa ], [ %.155.i.i74.i.epil, %B94.i.i63.i.epil.preheader ]
  %.175.i.i = inttoptr i64 %position.3.05.i.i to ptr
  %.177.i.i = load i64, ptr %.175.i.i, align 8, !noalias !25
  %.179.i.i = getelementptr i64, ptr %.20.i55.i, i64 %.177.i.i
  store i64 %total.2.0.lcssa.i.i77.i, ptr %.179.i.i, align 8, !noalias !25
  %.7.i.i78.i = load i64, ptr %.19.i.i60.i, align 8, !noalias !31
  %.8.i139.i.i = shl i64 %.7.i.i78.i, 4
  %.9.i.i79.i = add i64 %position.3.05.i.i, 24
  %.10.i.i80.i = add i64 %.9.i.i79.i, %.8.i139.i.i
  %.108.i.i = icmp samesign ugt i64 %.1176.in.i.i, 1
  br i1 %.108.i.i, label %B118.i.i, label %B240.i.i

B240.i.i:                                         ; preds = %value.exit.i76.i, %B666.i
  %position.3.0.lcssa.i.i = phi i64 [ %position.2.0.lcssa.sink.i2710.i, %B666.i ], [ %.10.i.i80.i, %value.exit.i76.i ]
  %.224.i81.i = getelementptr i8, ptr %.37.i, i64 48
  %.225.i.i = load i64, ptr %.224.i81.i, align 8, !noalias !25
  %.3077.not.i.i = icmp slt i64 %.225.i.i, 1
  br i1 %.3077.not.i.i, label %written.exit.i, label %B294.i.i

B294.i.i:                                         ; preds = %B240.i.i, %B650.i.i
  %.31610.in.i.i = phi i64 [ %.31610.i.i, %B650.i.i ], [ %.225.i.i, %B240.i.i ]
  %position.4.09.i.i = phi i64 [ %.10.i165.i.i, %B650.i.i ], [ %position.3.0.lcssa.i.i, %B240.i.i ]
  %.31610.i.i = add nsw i64 %.31610.in.i.i, -1
  %.352.i.i = add nsw i64 %position.4.09.i.i, 16
  %.8.i140.i.i = inttoptr i64 %.352.i.i to ptr
  %.14.i141.i.i = load i64, ptr %.8.i140.i.i, align 8, !noalias !34
  %.19.i142.i.i = getelementptr i8, ptr %.8.i140.i.i, i64 8
  %.20.i143.i.i = load i64, ptr %.19.i142.i.i, align 8, !noalias !34
  %.1021.not.i144.i.i = icmp slt i64 %.20.i143.i.i, 1
  br i1 %.1021.not.i144.i.i, label %value.exit159.i.i, label %B94.i145.i.i.preheader

B94.i145.i.i.preheader:                           ; preds = %B294.i.i
  %xtraiter31 = and i64 %.20.i143.i.i, 1
  %26 = icmp eq i64 %.20.i143.i.i, 1
  br i1 %26, label %B94.i145.i.i.epil.preheader, label %B94.i145.i.i.preheader.new

B94.i145.i.i.preheader.new:                       ; preds = %B94.i145.i.i.preheader
  %unroll_iter35 = and i64 %.20.i143.i.i, 9223372036854775806
  br label %B94.i145.i.i

B94.i145.i.i:                                     ; preds = %B94.i145.i.i, %B94.i145.i.i.preheader.new
  %total.2.04.i146.i.i = phi i64 [ %.14.i141.i.i, %B94.i145.i.i.preheader.new ], [ %.155.i156.i.i.1, %B94.i145.i.i ]
  %.44.02.i147.i.i = phi i64 [ 0, %B94.i145.i.i.preheader.new ], [ %.115.i148.i.i.1, %B94.i145.i.i ]
  %niter36 = phi i64 [ 0, %B94.i145.i.i.preheader.new ], [ %niter36.next.1, %B94.i145.i.i ]
  %27 = shl i64 %.44.02.i147.i.i, 4
  %28 = getelementptr i8, ptr %.8.i140.i.i, i64 %27
  %.143.i149.i.i = getelementptr i8, ptr %28, i64 16
  %.144.i150.i.i = load i64, ptr %.143.i149.i.i, align 8, !noalias !34
  %.148.i151.i.i = getelementptr i8, ptr %28, i64 24
  %.149.i152.i.i = load i64, ptr %.148.i151.i.i, align 8, !noalias !34
  %.151.i153.i.i = getelementptr i64, ptr %.60.i, i64 %.149.i152.i.i
  %.152.i154.i.i = load i64, ptr %.151.i153.i.i, align 8, !noalias !34
  %.153.i155.i.i = mul nsw i64 %.152.i154.i.i, %.144.i150.i.i
  %.155.i156.i.i = add nsw i64 %.153.i155.i.i, %total.2.04.i146.i.i
  %.115.i148.i.i = shl i64 %.44.02.i147.i.i, 4
  %.115.i148.i.i.1 = add nuw nsw i64 %.44.02.i147.i.i, 2
  %29 = getelementptr i8, ptr %.8.i140.i.i, i64 %.115.i148.i.i
  %.143.i149.i.i.1 = getelementptr i8, ptr %29, i64 32
  %.144.i150.i.i.1 = load i64, ptr %.143.i149.i.i.1, align 8, !noalias !34
  %.148.i151.i.i.1 = getelementptr i8, ptr %29, i64 40
  %.149.i152.i.i.1 = load i64, ptr %.148.i151.i.i.1, align 8, !noalias !34
  %.151.i153.i.i.1 = getelementptr i64, ptr %.60.i, i64 %.149.i152.i.i.1
  %.152.i154.i.i.1 = load i64, ptr %.151.i153.i.i.1, align 8, !noalias !34
  %.153.i155.i.i.1 = mul nsw i64 %.152.i154.i.i.1, %.144.i150.i.i.1
  %.155.i156.i.i.1 = add nsw i64 %.153.i155.i.i.1, %.155.i156.i.i
  %niter36.next.1 = add i64 %niter36, 2
  %niter36.ncmp.1 = icmp eq i64 %niter36.next.1, %unroll_iter35
  br i1 %niter36.ncmp.1, label %value.exit159.i.i.loopexit.unr-lcssa, label %B94.i145.i.i

value.exit159.i.i.loopexit.unr-lcssa: ; preds = %B94.i145.i.i
  %lcmp.mod32.not = icmp eq i64 %xtraiter31, 0
  br i1 %lcmp.mod32.not, label %value.exit159.i.i, label %B94.i145.i.i.epil.preheader

B94.i145.i.i.epil.preheader:                      ; preds = %value.exit159.i.i.loopexit.unr-lcssa, %B94.i145.i.i.preheader
  %total.2.04.i146.i.i.epil.init = phi i64 [ %.14.i141.i.i, %B94.i145.i.i.preheader ], [ %.155.i156.i.i.1, %value.exit159.i.i.loopexit.unr-lcssa ]
  %.44.02.i147.i.i.epil.init = phi i64 [ 0, %B94.i145.i.i.preheader ], [ %.115.i148.i.i.1, %value.exit159.i.i.loopexit.unr-lcssa ]
  %lcmp.mod34 = icmp ne i64 %xtraiter31, 0
  call void @llvm.assume(i1 %lcmp.mod34)
  %30 = shl i64 %.44.02.i147.i.i.epil.init, 4
  %31 = getelementptr i8, ptr %.8.i140.i.i, i64 %30
  %.143.i149.i.i.epil = getelementptr i8, ptr %31, i64 16
  %.144.i150.i.i.epil = load i64, ptr %.143.i149.i.i.epil, align 8, !noalias !34
  %.148.i151.i.i.epil = getelementptr i8, ptr %31, i64 24
  %.149.i152.i.i.epil = load i64, ptr %.148.i151.i.i.epil, align 8, !noalias !34
  %.151.i153.i.i.epil = getelementptr i64, ptr %.60.i, i64 %.149.i152.i.i.epil
  %.152.i154.i.i.epil = load i64, ptr %.151.i153.i.i.epil, align 8, !noalias !34
  %.153.i155.i.i.epil = mul nsw i64 %.152.i154.i.i.epil, %.144.i150.i.i.epil
  %.155.i156.i.i.epil = add nsw i64 %.153.i155.i.i.epil, %total.2.04.i146.i.i.epil.init
  br label %value.exit159.i.i

value.exit159.i.i: ; preds = %B94.i145.i.i.epil.preheader, %value.exit159.i.i.loopexit.unr-lcssa, %B294.i.i
  %total.2.0.lcssa.i158.i.i = phi i64 [ %.14.i141.i.i, %B294.i.i ], [ %.155.i156.i.i.1, %value.exit159.i.i.loopexit.unr-lcssa ], [ %.155.i156.i.i.epil, %B94.i145.i.i.epil.preheader ]
  %.346.i.i = inttoptr i64 %position.4.09.i.i to ptr
  %.383.i.i = load i64, ptr %.346.i.i, align 8, !noalias !25
  %.384.i82.i = shl nsw i64 %.383.i.i, 3
  %.386.i83.i = add nsw i64 %.384.i82.i, %copy_address.0.i
  %.391.i84.i = getelementptr i8, ptr %.346.i.i, i64 8
  %.392.i85.i = load i64, ptr %.391.i84.i, align 8, !noalias !25
  switch i64 %.392.i85.i, label %B614.i.i [
    i64 0, label %B426.i.i
    i64 1, label %B524.i.i
  ]

B426.i.i:                                         ; preds = %value.exit159.i.i
  %.398.i.i = sitofp i64 %total.2.0.lcssa.i158.i.i to double
  %.402.i.i = inttoptr i64 %.386.i83.i to ptr
  store double %.398.i.i, ptr %.402.i.i, align 8, !noalias !25
  br label %B650.i.i

B524.i.i:                                         ; preds = %value.exit159.i.i
  %.416.i.i = sitofp i64 %total.2.0.lcssa.i158.i.i to double
  %.419.i86.i = fptrunc double %.416.i.i to float
  %.421.i.i = inttoptr i64 %.386.i83.i to ptr
  store float %.419.i86.i, ptr %.421.i.i, align 4, !noalias !25
  br label %B650.i.i

B614.i.i:                                         ; preds = %value.exit159.i.i
  %.428.i88.i = inttoptr i64 %.386.i83.i to ptr
  store i64 %total.2.0.lcssa.i158.i.i, ptr %.428.i88.i, align 8, !noalias !25
  br label %B650.i.i

B650.i.i:                                         ; preds = %B614.i.i, %B524.i.i, %B426.i.i
  %.7.i162.i.i = load i64, ptr %.19.i142.i.i, align 8, !noalias !37
  %.8.i163.i.i = shl i64 %.7.i162.i.i, 4
  %.9.i164.i.i = add i64 %position.4.09.i.i, 32
  %.10.i165.i.i = add i64 %.9.i164.i.i, %.8.i163.i.i
  %.307.i87.i = icmp samesign ugt i64 %.31610.in.i.i, 1
  br i1 %.307.i87.i, label %B294.i.i, label %written.exit.i

written.exit.i: ; preds = %B650.i.i, %B240.i.i
  %.244.i = ptrtoint ptr %.243.i to i64
  %.245.i = or disjoint i64 %.244.i, 16
  %.246.i = inttoptr i64 %.245.i to ptr
  store i64 %copy_address.0.i, ptr %.246.i, align 16, !noalias !0
  %.252.i = load i64, ptr %.37.i, align 8, !noalias !0
  %.255.i = load i64, ptr %.45.i, align 8, !noalias !0
  %.257.i = sub nsw i64 %.3, %.255.i
  %.259.i = inttoptr i64 %.252.i to ptr
  %.260.i = call i64 %.259.i(i64 %.244.i, ptr %.2, i64 %.257.i), !noalias !0
  %.264.i = getelementptr i8, ptr %.19.i, i64 24
  %.265.i = load i64, ptr %.264.i, align 8, !noalias !0
  %.267.not.i = icmp eq i64 %.260.i, %.265.i
  br i1 %.267.not.i, label %B1018.i, label %B942.i

B942.i:                                           ; preds = %written.exit.i
  %.270.i = getelementptr i8, ptr %.19.i, i64 32
  %.271.i = load i64, ptr %.270.i, align 8, !noalias !0
  %.273.not.i = icmp eq i64 %.260.i, %.271.i
  br i1 %.273.not.i, label %B1018.i, label %B976.i

B976.i:                                           ; preds = %B942.i
  %.276.i = getelementptr i8, ptr %.19.i, i64 256
  %.277.i = load i64, ptr %.276.i, align 8, !noalias !0
  %.278.i = add nsw i64 %.277.i, 1
  store i64 %.278.i, ptr %.276.i, align 8, !noalias !0
  br label %B1018.i

B1018.i:                                          ; preds = %B976.i, %B942.i, %written.exit.i, %B608.i
  %result.0.i = phi i64 [ %.202.i, %B608.i ], [ %.260.i, %written.exit.i ], [ %.260.i, %B942.i ], [ %.260.i, %B976.i ]
  br i1 %.67.i, label %launch_sized.exit, label %B1022.i

B1022.i:                                          ; preds = %B1018.i
  %.286.i = call ptr @PyMem_RawFree(i64 %copy_address.0.i), !noalias !0
  br label %launch_sized.exit

launch_sized.exit: ; preds = %B226.i, %B440.i, %B1018.i, %B1022.i
  %result.0.sink.i = phi i64 [ %.57.i, %B226.i ], [ %.92.i, %B440.i ], [ %result.0.i, %B1022.i ], [ %result.0.i, %B1018.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.60.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %.73.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %.243.i)
  ret i64 %result.0.sink.i
}

declare i64 @PyLong_AsLongLongAndOverflow(i64, i64) local_unnamed_addr

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.fabs.f64(double) #0

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.abs.i64(i64, i1 immarg) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #4

attributes #0 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"launch_sized: %retptr"}
!2 = distinct !{!2, !"launch_sized"}
!3 = !{!4, !1}
!4 = distinct !{!4, !5, !"read: %retptr"}
!5 = distinct !{!5, !"read"}
!6 = !{!"branch_weights", i32 99, i32 1}
!7 = !{!8, !1}
!8 = distinct !{!8, !9, !"made: %retptr"}
!9 = distinct !{!9, !"made"}
!10 = !{!11, !8, !1}
!11 = distinct !{!11, !12, !"after: %retptr"}
!12 = distinct !{!12, !"after"}
!13 = !{!14, !8, !1}
!14 = distinct !{!14, !15, !"value: %retptr"}
!15 = distinct !{!15, !"value"}
!16 = !{!17, !8, !1}
!17 = distinct !{!17, !18, !"value: %retptr"}
!18 = distinct !{!18, !"value"}
!19 = !{!20, !1}
!20 = distinct !{!20, !21, !"asked: %retptr"}
!21 = distinct !{!21, !"asked"}
!22 = !{!23, !20, !1}
!23 = distinct !{!23, !24, !"value: %retptr"}
!24 = distinct !{!24, !"value"}
!25 = !{!26, !1}
!26 = distinct !{!26, !27, !"written: %retptr"}
!27 = distinct !{!27, !"written"}
!28 = !{!29, !26, !1}
!29 = distinct !{!29, !30, !"value: %retptr"}
!30 = distinct !{!30, !"value"}
!31 = !{!32, !26, !1}
!32 = distinct !{!32, !33, !"after: %retptr"}
!33 = distinct !{!33, !"after"}
!34 = !{!35, !26, !1}
!35 = distinct !{!35, !36, !"value: %retptr"}
!36 = distinct !{!36, !"value"}
!37 = !{!38, !26, !1}
!38 = distinct !{!38, !39, !"after: %retptr"}
!39 = distinct !{!39, !"after"}
