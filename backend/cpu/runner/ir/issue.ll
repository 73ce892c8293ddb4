; digest 17cac6a2fc57fd254f90cd11815f685e
; The program guardlift_issue of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py e17a5b694241d735aa9fff1357521527
; source backend/cpu/compiler/numba_functions.py da39e9336568b2b78f81c3820809f6f1
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/plan/issue_table.py d42792254a256fd1069a066349da8252
; source backend/cpu/plan/table_layout.py 854dfc81ac88a4cfb135a9d487b9b959
; source backend/cpu/runner/checks.py ec2503d1e3e3f9f4e54d967e0f62ca33
; source backend/cpu/runner/device_calls.py ef1b1ce80547bd23ade770312dbfeaa7
; source backend/llvm/native_functions.py 5b0fcbc114a9f375dd221d42453f26d0
; ModuleID = 'guardlift_issue'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


declare i64 @PyLong_FromLongLong(i64) local_unnamed_addr

declare ptr @Py_IncRef(i64) local_unnamed_addr

define i64 @guardlift_issue(i64 %.1, ptr readonly captures(none) %.2, i64 %.3) local_unnamed_addr {
entry:
  %.73.i.i = alloca i64, align 8
  %.265.i.i = alloca i64, align 8
  %.194.i.i.i = alloca i64, align 8
  %.243.i.i.i = alloca i64, align 8
  %.27.i = alloca [64 x i8], align 64
  call void @llvm.lifetime.start.p0(ptr nonnull %.27.i)
  %.11.i = add nsw i64 %.1, 16
  %.12.i = inttoptr i64 %.11.i to ptr
  %.14.i = load i64, ptr %.12.i, align 8, !noalias !0
  %.19.i = inttoptr i64 %.14.i to ptr
  %.24.i = getelementptr i8, ptr %.19.i, i64 200
  store i64 0, ptr %.24.i, align 8, !noalias !0
  %.28.i = ptrtoint ptr %.27.i to i64
  %.22.i.i = getelementptr i8, ptr %.19.i, i64 8
  %.23.i.i = load i64, ptr %.22.i.i, align 8, !noalias !3
  %.24.i.i = icmp sgt i64 %.23.i.i, 0
  %.49.pre.i.i = load i64, ptr %.19.i, align 8, !noalias !3
  %.35.i.i = sub nsw i64 %.49.pre.i.i, %.23.i.i
  %.37.i.i = icmp eq i64 %.3, %.35.i.i
  %"$phi128.0.2.0.i.i" = select i1 %.24.i.i, i1 %.37.i.i, i1 false
  %.51.not.i.i = icmp eq i64 %.3, %.49.pre.i.i
  %brmerge.i.i = select i1 %.51.not.i.i, i1 true, i1 %"$phi128.0.2.0.i.i"
  br i1 %brmerge.i.i, label %B194.i.i, label %issued.exitthread-pre-split.i

B194.i.i:                                         ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %.243.i.i.i), !noalias !3
  %.1163.i.i.i = icmp sgt i64 %.35.i.i, 0
  br i1 %.1163.i.i.i, label %B156.lr.ph.i.i.i, label %B250.i.i

B156.lr.ph.i.i.i:                                 ; preds = %B194.i.i
  %.60.26.i.i.i = add nsw i64 %.35.i.i, -1
  %.19.i.i.i = getelementptr i8, ptr %.19.i, i64 24
  %.20.i.i.i = load i64, ptr %.19.i.i.i, align 8, !noalias !6
  %.21.i.i.i = shl nsw i64 %.20.i.i.i, 3
  %.23.i.i.i = add nsw i64 %.21.i.i.i, %.14.i
  %.448.i.i.i = getelementptr i8, ptr %.19.i, i64 304
  %.30.i112.i.i.i = getelementptr i8, ptr %.19.i, i64 152
  %.510.i.i.i = getelementptr inbounds nuw i8, ptr %.27.i, i64 8
  %.513.i.i.i = or disjoint i64 %.28.i, 8
  br label %B156.i.i.i

B156.i.i.i:                                       ; preds = %B1220.i.i.i, %B156.lr.ph.i.i.i
  %.60.211.i.i.i = phi i64 [ %.60.26.i.i.i, %B156.lr.ph.i.i.i ], [ %.60.2.i.i.i, %B1220.i.i.i ]
  %.57.110.i.i.i = phi i64 [ 1, %B156.lr.ph.i.i.i ], [ %.57.1.i.i.i, %B1220.i.i.i ]
  %position.2.08.i.i.i = phi i64 [ %.23.i.i.i, %B156.lr.ph.i.i.i ], [ %.559.i.i.i, %B1220.i.i.i ]
  %.57.07.i.i.i = phi i64 [ 0, %B156.lr.ph.i.i.i ], [ %.57.110.i.i.i, %B1220.i.i.i ]
  %.155.i.i.i = inttoptr i64 %position.2.08.i.i.i to ptr
  %.160.i.i.i = getelementptr i64, ptr %.2, i64 %.57.07.i.i.i
  %.161.i.i.i = load i64, ptr %.160.i.i.i, align 8, !noalias !6
  %.166.i.i.i = add nsw i64 %.161.i.i.i, 8
  %.167.i.i.i = inttoptr i64 %.166.i.i.i to ptr
  %.169.i.i.i = load i64, ptr %.167.i.i.i, align 8, !noalias !6
  %.171.i.i.i = getelementptr i8, ptr %.155.i.i.i, i64 16
  %.172.i.i.i = load i64, ptr %.171.i.i.i, align 8, !noalias !6
  %.173.not.i.i.i = icmp eq i64 %.169.i.i.i, %.172.i.i.i
  br i1 %.173.not.i.i.i, label %B310.i.i.i, label %given_fit.exit.thread.i.i

B310.i.i.i:                                       ; preds = %B156.i.i.i
  %.195.i.i.i = load i64, ptr %.155.i.i.i, align 8, !noalias !6
  switch i64 %.195.i.i.i, label %B1052.i.i.i [
    i64 0, label %B358.i.i.i
    i64 5, label %B564.i.i.i
    i64 1, label %B642.i.i.i
    i64 2, label %B776.i.i.i
    i64 3, label %B956.i.i.i
  ]

B358.i.i.i:                                       ; preds = %B310.i.i.i
  %.206.i.i.i = add nsw i64 %position.2.08.i.i.i, 24
  %.14.i.i.i.i = inttoptr i64 %.206.i.i.i to ptr
  %.15.i.i.i.i = getelementptr i8, ptr %.14.i.i.i.i, i64 24
  %.16.i.i.i.i = load i64, ptr %.15.i.i.i.i, align 8, !noalias !9
  %.9913.i.i.i.i = icmp sgt i64 %.16.i.i.i.i, 0
  br i1 %.9913.i.i.i.i, label %B112.preheader.i.i.i.i, label %followed.exit.i.i.i

B112.preheader.i.i.i.i:                           ; preds = %B358.i.i.i
  %.43.215.i.i.i.i = add nsw i64 %.16.i.i.i.i, -1
  %.10.i.i.i.i = add nsw i64 %position.2.08.i.i.i, 56
  br label %B112.i.i.i.i

B112.i.i.i.i:                                     ; preds = %B780.i.i.i.i, %B112.preheader.i.i.i.i
  %.43.218.i.i.i.i = phi i64 [ %.43.2.i.i.i.i, %B780.i.i.i.i ], [ %.43.215.i.i.i.i, %B112.preheader.i.i.i.i ]
  %thing.2.017.i.i.i.i = phi i64 [ %thing.3.0.i.i.i.i, %B780.i.i.i.i ], [ %.161.i.i.i, %B112.preheader.i.i.i.i ]
  %position.3.016.i.i.i.i = phi i64 [ %position.4.0.lcssa.i.i.i.i, %B780.i.i.i.i ], [ %.10.i.i.i.i, %B112.preheader.i.i.i.i ]
  %.138.i.i.i.i = inttoptr i64 %position.3.016.i.i.i.i to ptr
  %.143.i.i.i.i = add nsw i64 %thing.2.017.i.i.i.i, 8
  %.144.i.i.i.i = inttoptr i64 %.143.i.i.i.i to ptr
  %.146.i.i.i.i = load i64, ptr %.144.i.i.i.i, align 8, !noalias !9
  %.149.i.i.i.i = load i64, ptr %.138.i.i.i.i, align 8, !noalias !9
  %.150.not.i.i.i.i = icmp eq i64 %.146.i.i.i.i, %.149.i.i.i.i
  br i1 %.150.not.i.i.i.i, label %B238.i.i.i.i, label %followed.exit.i.i.i

B238.i.i.i.i:                                     ; preds = %B112.i.i.i.i
  %.164.i.i.i.i = add i64 %position.3.016.i.i.i.i, 24
  %.171.i.i.i.i = getelementptr i8, ptr %.138.i.i.i.i, i64 16
  %.172.i.i.i.i = load i64, ptr %.171.i.i.i.i, align 8, !noalias !9
  %.2529.not.i.i.i.i = icmp slt i64 %.172.i.i.i.i, 1
  br i1 %.2529.not.i.i.i.i, label %B658.i.i.i.i, label %B318.preheader.i.i.i.i

B318.preheader.i.i.i.i:                           ; preds = %B238.i.i.i.i
  %0 = shl i64 %.172.i.i.i.i, 4
  %1 = add i64 %0, %.164.i.i.i.i
  br label %B318.i.i.i.i

B318.i.i.i.i:                                     ; preds = %B646.i.i.i.i, %B318.preheader.i.i.i.i
  %.26112.in.i.i.i.i = phi i64 [ %.26112.i.i.i.i, %B646.i.i.i.i ], [ %.172.i.i.i.i, %B318.preheader.i.i.i.i ]
  %position.4.011.i.i.i.i = phi i64 [ %.375.i.i.i.i, %B646.i.i.i.i ], [ %.164.i.i.i.i, %B318.preheader.i.i.i.i ]
  %.26112.i.i.i.i = add nsw i64 %.26112.in.i.i.i.i, -1
  %.291.i.i.i.i = inttoptr i64 %position.4.011.i.i.i.i to ptr
  %.297.i.i.i.i = load i64, ptr %.291.i.i.i.i, align 8, !noalias !9
  %.298.i.i.i.i = and i64 %.297.i.i.i.i, 1
  %.299.not.i.i.i.i = icmp eq i64 %.298.i.i.i.i, 0
  br i1 %.299.not.i.i.i.i, label %B558.i.i.i.i, label %B382.i.i.i.i

B382.i.i.i.i:                                     ; preds = %B318.i.i.i.i
  %.304.i.i.i.i = and i64 %.297.i.i.i.i, -2
  %.306.i.i.i.i = add nsw i64 %.304.i.i.i.i, %thing.2.017.i.i.i.i
  %.307.i.i.i.i = inttoptr i64 %.306.i.i.i.i to ptr
  %.309.i.i.i.i = load i64, ptr %.307.i.i.i.i, align 8, !noalias !9
  %.314.i.i.i.i = icmp eq i64 %.309.i.i.i.i, 0
  br i1 %.314.i.i.i.i, label %followed.exit.i.i.i, label %B470.i.i.i.i

B470.i.i.i.i:                                     ; preds = %B382.i.i.i.i
  %.317.i.i.i.i = add nsw i64 %.309.i.i.i.i, 8
  %.320.i.i.i.i = inttoptr i64 %.317.i.i.i.i to ptr
  %.322.i.i.i.i = load i64, ptr %.320.i.i.i.i, align 8, !noalias !9
  %.324.i.i.i.i = getelementptr i8, ptr %.291.i.i.i.i, i64 8
  %.325.i.i.i.i = load i64, ptr %.324.i.i.i.i, align 8, !noalias !9
  %.328.i.i.i.i = icmp eq i64 %.322.i.i.i.i, %.325.i.i.i.i
  br i1 %.328.i.i.i.i, label %followed.exit.i.i.i, label %B646.i.i.i.i

B558.i.i.i.i:                                     ; preds = %B318.i.i.i.i
  %.351.i.i.i.i = add nsw i64 %.297.i.i.i.i, %thing.2.017.i.i.i.i
  %.352.i.i.i.i = inttoptr i64 %.351.i.i.i.i to ptr
  %.354.i.i.i.i = load i64, ptr %.352.i.i.i.i, align 8, !noalias !9
  %.356.i.i.i.i = getelementptr i8, ptr %.291.i.i.i.i, i64 8
  %.357.i.i.i.i = load i64, ptr %.356.i.i.i.i, align 8, !noalias !9
  %.360.not.i.i.i.i = icmp eq i64 %.354.i.i.i.i, %.357.i.i.i.i
  br i1 %.360.not.i.i.i.i, label %B646.i.i.i.i, label %followed.exit.i.i.i

B646.i.i.i.i:                                     ; preds = %B558.i.i.i.i, %B470.i.i.i.i
  %.375.i.i.i.i = add nsw i64 %position.4.011.i.i.i.i, 16
  %.252.i.i.i.i = icmp samesign ugt i64 %.26112.in.i.i.i.i, 1
  br i1 %.252.i.i.i.i, label %B318.i.i.i.i, label %B658.i.i.i.i

B658.i.i.i.i:                                     ; preds = %B646.i.i.i.i, %B238.i.i.i.i
  %position.4.0.lcssa.i.i.i.i = phi i64 [ %.164.i.i.i.i, %B238.i.i.i.i ], [ %1, %B646.i.i.i.i ]
  %.388.i.i.i.i = getelementptr i8, ptr %.138.i.i.i.i, i64 8
  %.389.i.i.i.i = load i64, ptr %.388.i.i.i.i, align 8, !noalias !9
  %.390.not.i.i.i.i = icmp eq i64 %.389.i.i.i.i, 0
  br i1 %.390.not.i.i.i.i, label %B780.i.i.i.i, label %B692.i.i.i.i

B692.i.i.i.i:                                     ; preds = %B658.i.i.i.i
  %.398.i.i.i.i = add nsw i64 %.389.i.i.i.i, %thing.2.017.i.i.i.i
  %.401.i.i.i.i = inttoptr i64 %.398.i.i.i.i to ptr
  %.403.i.i.i.i = load i64, ptr %.401.i.i.i.i, align 8, !noalias !9
  %.406.i.i.i.i = icmp eq i64 %.403.i.i.i.i, 0
  br i1 %.406.i.i.i.i, label %followed.exit.i.i.i, label %B780.i.i.i.i

B780.i.i.i.i:                                     ; preds = %B692.i.i.i.i, %B658.i.i.i.i
  %thing.3.0.i.i.i.i = phi i64 [ %thing.2.017.i.i.i.i, %B658.i.i.i.i ], [ %.403.i.i.i.i, %B692.i.i.i.i ]
  %.99.i.i.i.i = icmp sgt i64 %.43.218.i.i.i.i, 0
  %.108.i.i.i.i = sext i1 %.99.i.i.i.i to i64
  %.43.2.i.i.i.i = add nsw i64 %.43.218.i.i.i.i, %.108.i.i.i.i
  br i1 %.99.i.i.i.i, label %B112.i.i.i.i, label %followed.exit.i.i.i

followed.exit.i.i.i: ; preds = %B780.i.i.i.i, %B692.i.i.i.i, %B112.i.i.i.i, %B558.i.i.i.i, %B470.i.i.i.i, %B382.i.i.i.i, %B358.i.i.i
  %thing.2.0.lcssa.sink.i.i.i.i = phi i64 [ %.161.i.i.i, %B358.i.i.i ], [ 0, %B558.i.i.i.i ], [ 0, %B382.i.i.i.i ], [ 0, %B470.i.i.i.i ], [ 0, %B692.i.i.i.i ], [ %thing.3.0.i.i.i.i, %B780.i.i.i.i ], [ 0, %B112.i.i.i.i ]
  %.238.i.i.i = load i64, ptr %.14.i.i.i.i, align 8, !noalias !6
  %.239.i.i.i = shl nsw i64 %.238.i.i.i, 3
  %.240.i.i.i = add nsw i64 %.239.i.i.i, %.206.i.i.i
  call fastcc void @array_fits(ptr nonnull %.243.i.i.i, i64 %.14.i, i64 %thing.2.0.lcssa.sink.i.i.i.i, i64 %.240.i.i.i, i64 %.28.i)
  %.257.i.i.i = load i64, ptr %.243.i.i.i, align 8, !noalias !6
  %.271.not.i.i.i = icmp eq i64 %.257.i.i.i, 1
  br i1 %.271.not.i.i.i, label %B1220.i.i.i, label %given_fit.exit.thread.i.i

B564.i.i.i:                                       ; preds = %B310.i.i.i
  %.301.i.i.i = getelementptr i8, ptr %.155.i.i.i, i64 24
  %.302.i.i.i = load i64, ptr %.301.i.i.i, align 8, !noalias !6
  %.304.not.i.i.i = icmp eq i64 %.161.i.i.i, %.302.i.i.i
  br i1 %.304.not.i.i.i, label %B1220.i.i.i, label %given_fit.exit.thread.i.i

B642.i.i.i:                                       ; preds = %B310.i.i.i
  %.332.i.i.i = getelementptr i8, ptr %.155.i.i.i, i64 24
  %.333.i.i.i = load i64, ptr %.332.i.i.i, align 8, !noalias !6
  %.335.i.i.i = add nsw i64 %.161.i.i.i, 16
  %.338.i.i.i = inttoptr i64 %.335.i.i.i to ptr
  %.340.i.i.i = load i64, ptr %.338.i.i.i, align 8, !noalias !6
  %.15.i100.i.i.i = getelementptr i64, ptr %.19.i, i64 %.333.i.i.i
  %.16.i101.i.i.i = load i64, ptr %.15.i100.i.i.i, align 8, !noalias !12
  %.18.not.i.i.i.i = icmp eq i64 %.16.i101.i.i.i, %.340.i.i.i
  br i1 %.18.not.i.i.i.i, label %B1220.i.i.i, label %B28.i.i.i.i

B28.i.i.i.i:                                      ; preds = %B642.i.i.i
  store i64 %.340.i.i.i, ptr %.15.i100.i.i.i, align 8, !noalias !12
  br label %B1220.sink.split.i.i.i

B776.i.i.i:                                       ; preds = %B310.i.i.i
  %.374.i.i.i = call i64 @PyLong_AsLongLongAndOverflow(i64 %.161.i.i.i, i64 %.28.i), !noalias !6
  %.383.i.i.i = load i32, ptr %.27.i, align 64, !noalias !6
  %.385.not.i.i.i = icmp eq i32 %.383.i.i.i, 0
  br i1 %.385.not.i.i.i, label %B876.i.i.i, label %given_fit.exit.thread.i.i

B876.i.i.i:                                       ; preds = %B776.i.i.i
  %.407.i.i.i = getelementptr i8, ptr %.155.i.i.i, i64 24
  %.408.i.i.i = load i64, ptr %.407.i.i.i, align 8, !noalias !6
  %.15.i102.i.i.i = getelementptr i64, ptr %.19.i, i64 %.408.i.i.i
  %.16.i103.i.i.i = load i64, ptr %.15.i102.i.i.i, align 8, !noalias !15
  %.18.not.i104.i.i.i = icmp eq i64 %.16.i103.i.i.i, %.374.i.i.i
  br i1 %.18.not.i104.i.i.i, label %B1220.i.i.i, label %B28.i105.i.i.i

B28.i105.i.i.i:                                   ; preds = %B876.i.i.i
  store i64 %.374.i.i.i, ptr %.15.i102.i.i.i, align 8, !noalias !15
  br label %B1220.sink.split.i.i.i

B956.i.i.i:                                       ; preds = %B310.i.i.i
  %.445.i.i.i = getelementptr i8, ptr %.155.i.i.i, i64 24
  %.446.i.i.i = load i64, ptr %.445.i.i.i, align 8, !noalias !6
  %.449.i.i.i = load i64, ptr %.448.i.i.i, align 8, !noalias !6
  %.451.i.i.i = icmp eq i64 %.161.i.i.i, %.449.i.i.i
  %spec.select.i.i.i = zext i1 %.451.i.i.i to i64
  %.15.i108.i.i.i = getelementptr i64, ptr %.19.i, i64 %.446.i.i.i
  %.16.i109.i.i.i = load i64, ptr %.15.i108.i.i.i, align 8, !noalias !18
  %.18.not.i110.i.i.i = icmp eq i64 %.16.i109.i.i.i, %spec.select.i.i.i
  br i1 %.18.not.i110.i.i.i, label %B1220.i.i.i, label %B28.i111.i.i.i

B28.i111.i.i.i:                                   ; preds = %B956.i.i.i
  store i64 %spec.select.i.i.i, ptr %.15.i108.i.i.i, align 8, !noalias !18
  br label %B1220.sink.split.i.i.i

B1052.i.i.i:                                      ; preds = %B310.i.i.i
  store i64 0, ptr %.510.i.i.i, align 8, !noalias !6
  %.515.i.i.i = call ptr @guardlift_scalar_read(i64 %.161.i.i.i, i64 %.513.i.i.i), !noalias !6
  %.520.i.i.i = getelementptr i8, ptr %.155.i.i.i, i64 24
  %.521.i.i.i = load i64, ptr %.520.i.i.i, align 8, !noalias !6
  %.525.i.i.i = load i64, ptr %.510.i.i.i, align 8, !noalias !6
  %.15.i114.i.i.i = getelementptr i64, ptr %.19.i, i64 %.521.i.i.i
  %.16.i115.i.i.i = load i64, ptr %.15.i114.i.i.i, align 8, !noalias !21
  %.18.not.i116.i.i.i = icmp eq i64 %.16.i115.i.i.i, %.525.i.i.i
  br i1 %.18.not.i116.i.i.i, label %B1220.i.i.i, label %B28.i117.i.i.i

B28.i117.i.i.i:                                   ; preds = %B1052.i.i.i
  store i64 %.525.i.i.i, ptr %.15.i114.i.i.i, align 8, !noalias !21
  br label %B1220.sink.split.i.i.i

B1220.sink.split.i.i.i:                           ; preds = %B28.i117.i.i.i, %B28.i111.i.i.i, %B28.i105.i.i.i, %B28.i.i.i.i
  store i64 0, ptr %.30.i112.i.i.i, align 8, !noalias !6
  br label %B1220.i.i.i

B1220.i.i.i:                                      ; preds = %B1220.sink.split.i.i.i, %B1052.i.i.i, %B956.i.i.i, %B876.i.i.i, %B642.i.i.i, %B564.i.i.i, %followed.exit.i.i.i
  %.553.i.i.i = getelementptr i8, ptr %.155.i.i.i, i64 8
  %.554.i.i.i = load i64, ptr %.553.i.i.i, align 8, !noalias !6
  %.557.i.i.i = shl nsw i64 %.554.i.i.i, 3
  %.559.i.i.i = add nsw i64 %.557.i.i.i, %position.2.08.i.i.i
  %.116.i.i.i = icmp sgt i64 %.60.211.i.i.i, 0
  %.129.i.i.i = zext i1 %.116.i.i.i to i64
  %.57.1.i.i.i = add i64 %.57.110.i.i.i, %.129.i.i.i
  %.125.i.i.i = sext i1 %.116.i.i.i to i64
  %.60.2.i.i.i = add nsw i64 %.60.211.i.i.i, %.125.i.i.i
  br i1 %.116.i.i.i, label %B156.i.i.i, label %B250.i.i

given_fit.exit.thread.i.i: ; preds = %B776.i.i.i, %B564.i.i.i, %followed.exit.i.i.i, %B156.i.i.i
  %.sink.i.ph.i.i = phi i64 [ 0, %B156.i.i.i ], [ %.257.i.i.i, %followed.exit.i.i.i ], [ 0, %B564.i.i.i ], [ 0, %B776.i.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.243.i.i.i), !noalias !3
  br label %B334.i.i

B250.i.i:                                         ; preds = %B1220.i.i.i, %B194.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.243.i.i.i), !noalias !3
  call void @llvm.lifetime.start.p0(ptr nonnull %.194.i.i.i), !noalias !3
  %.16.i.i.i = getelementptr i8, ptr %.19.i, i64 32
  %.17.i.i.i = load i64, ptr %.16.i.i.i, align 8, !noalias !24
  %.18.i.i.i = shl nsw i64 %.17.i.i.i, 3
  %.20.i84.i.i = add nsw i64 %.18.i.i.i, %.14.i
  %.25.i.i.i = getelementptr i8, ptr %.19.i, i64 40
  %.26.i.i.i = load i64, ptr %.25.i.i.i, align 8, !noalias !24
  %.1089.i.i.i = icmp sgt i64 %.26.i.i.i, 0
  br i1 %.1089.i.i.i, label %B126.preheader.i.i.i, label %B398.i.i.i

B126.preheader.i.i.i:                             ; preds = %B250.i.i
  %.53.211.i.i.i = add nsw i64 %.26.i.i.i, -1
  br label %B126.i.i.i

B124.i.i.i:                                       ; preds = %followed.exit.i89.i.i
  %.243.i91.i.i = add nsw i64 %.184.i.i.i, 48
  %.108.i.i.i = icmp sgt i64 %.53.213.i.i.i, 0
  %.117.i.i.i = sext i1 %.108.i.i.i to i64
  %.53.2.i.i.i = add nsw i64 %.53.213.i.i.i, %.117.i.i.i
  br i1 %.108.i.i.i, label %B126.i.i.i, label %B398.i.i.i

B126.i.i.i:                                       ; preds = %B124.i.i.i, %B126.preheader.i.i.i
  %.53.213.i.i.i = phi i64 [ %.53.2.i.i.i, %B124.i.i.i ], [ %.53.211.i.i.i, %B126.preheader.i.i.i ]
  %position.4.012.i.i.i = phi i64 [ %.243.i91.i.i, %B124.i.i.i ], [ %.20.i84.i.i, %B126.preheader.i.i.i ]
  %.147.i.i.i = inttoptr i64 %position.4.012.i.i.i to ptr
  %.149.i.i.i = getelementptr i8, ptr %.147.i.i.i, i64 8
  %.150.i.i.i = load i64, ptr %.149.i.i.i, align 8, !noalias !24
  %.151.i.i.i = add nsw i64 %.150.i.i.i, 16
  %.152.i.i.i = inttoptr i64 %.151.i.i.i to ptr
  %.154.i.i.i = load i64, ptr %.152.i.i.i, align 8, !noalias !24
  %.15.i.i86.i.i = getelementptr i8, ptr %.147.i.i.i, i64 24
  %.16.i.i87.i.i = load i64, ptr %.15.i.i86.i.i, align 8, !noalias !27
  %.9913.i.i88.i.i = icmp sgt i64 %.16.i.i87.i.i, 0
  br i1 %.9913.i.i88.i.i, label %B112.preheader.i.i92.i.i, label %followed.exit.i89.i.i

B112.preheader.i.i92.i.i:                         ; preds = %B126.i.i.i
  %.43.215.i.i93.i.i = add nsw i64 %.16.i.i87.i.i, -1
  %.10.i.i94.i.i = add nsw i64 %position.4.012.i.i.i, 32
  br label %B112.i.i95.i.i

B112.i.i95.i.i:                                   ; preds = %B780.i.i145.i.i, %B112.preheader.i.i92.i.i
  %.43.218.i.i96.i.i = phi i64 [ %.43.2.i.i149.i.i, %B780.i.i145.i.i ], [ %.43.215.i.i93.i.i, %B112.preheader.i.i92.i.i ]
  %thing.2.017.i.i97.i.i = phi i64 [ %thing.3.0.i.i146.i.i, %B780.i.i145.i.i ], [ %.154.i.i.i, %B112.preheader.i.i92.i.i ]
  %position.3.016.i.i98.i.i = phi i64 [ %position.4.0.lcssa.i.i136.i.i, %B780.i.i145.i.i ], [ %.10.i.i94.i.i, %B112.preheader.i.i92.i.i ]
  %.138.i.i99.i.i = inttoptr i64 %position.3.016.i.i98.i.i to ptr
  %.143.i.i100.i.i = add nsw i64 %thing.2.017.i.i97.i.i, 8
  %.144.i.i101.i.i = inttoptr i64 %.143.i.i100.i.i to ptr
  %.146.i.i102.i.i = load i64, ptr %.144.i.i101.i.i, align 8, !noalias !27
  %.149.i.i103.i.i = load i64, ptr %.138.i.i99.i.i, align 8, !noalias !27
  %.150.not.i.i104.i.i = icmp eq i64 %.146.i.i102.i.i, %.149.i.i103.i.i
  br i1 %.150.not.i.i104.i.i, label %B238.i.i105.i.i, label %followed.exit.i89.i.i

B238.i.i105.i.i:                                  ; preds = %B112.i.i95.i.i
  %.164.i.i106.i.i = add i64 %position.3.016.i.i98.i.i, 24
  %.171.i.i107.i.i = getelementptr i8, ptr %.138.i.i99.i.i, i64 16
  %.172.i.i108.i.i = load i64, ptr %.171.i.i107.i.i, align 8, !noalias !27
  %.2529.not.i.i109.i.i = icmp slt i64 %.172.i.i108.i.i, 1
  br i1 %.2529.not.i.i109.i.i, label %B658.i.i135.i.i, label %B318.preheader.i.i110.i.i

B318.preheader.i.i110.i.i:                        ; preds = %B238.i.i105.i.i
  %2 = shl i64 %.172.i.i108.i.i, 4
  %3 = add i64 %2, %.164.i.i106.i.i
  br label %B318.i.i111.i.i

B318.i.i111.i.i:                                  ; preds = %B646.i.i132.i.i, %B318.preheader.i.i110.i.i
  %.26112.in.i.i112.i.i = phi i64 [ %.26112.i.i114.i.i, %B646.i.i132.i.i ], [ %.172.i.i108.i.i, %B318.preheader.i.i110.i.i ]
  %position.4.011.i.i113.i.i = phi i64 [ %.375.i.i133.i.i, %B646.i.i132.i.i ], [ %.164.i.i106.i.i, %B318.preheader.i.i110.i.i ]
  %.26112.i.i114.i.i = add nsw i64 %.26112.in.i.i112.i.i, -1
  %.291.i.i115.i.i = inttoptr i64 %position.4.011.i.i113.i.i to ptr
  %.297.i.i116.i.i = load i64, ptr %.291.i.i115.i.i, align 8, !noalias !27
  %.298.i.i117.i.i = and i64 %.297.i.i116.i.i, 1
  %.299.not.i.i118.i.i = icmp eq i64 %.298.i.i117.i.i, 0
  br i1 %.299.not.i.i118.i.i, label %B558.i.i150.i.i, label %B382.i.i119.i.i

B382.i.i119.i.i:                                  ; preds = %B318.i.i111.i.i
  %.304.i.i120.i.i = and i64 %.297.i.i116.i.i, -2
  %.306.i.i121.i.i = add nsw i64 %.304.i.i120.i.i, %thing.2.017.i.i97.i.i
  %.307.i.i122.i.i = inttoptr i64 %.306.i.i121.i.i to ptr
  %.309.i.i123.i.i = load i64, ptr %.307.i.i122.i.i, align 8, !noalias !27
  %.314.i.i124.i.i = icmp eq i64 %.309.i.i123.i.i, 0
  br i1 %.314.i.i124.i.i, label %followed.exit.i89.i.i, label %B470.i.i125.i.i

B470.i.i125.i.i:                                  ; preds = %B382.i.i119.i.i
  %.317.i.i126.i.i = add nsw i64 %.309.i.i123.i.i, 8
  %.320.i.i127.i.i = inttoptr i64 %.317.i.i126.i.i to ptr
  %.322.i.i128.i.i = load i64, ptr %.320.i.i127.i.i, align 8, !noalias !27
  %.324.i.i129.i.i = getelementptr i8, ptr %.291.i.i115.i.i, i64 8
  %.325.i.i130.i.i = load i64, ptr %.324.i.i129.i.i, align 8, !noalias !27
  %.328.i.i131.i.i = icmp eq i64 %.322.i.i128.i.i, %.325.i.i130.i.i
  br i1 %.328.i.i131.i.i, label %followed.exit.i89.i.i, label %B646.i.i132.i.i

B558.i.i150.i.i:                                  ; preds = %B318.i.i111.i.i
  %.351.i.i151.i.i = add nsw i64 %.297.i.i116.i.i, %thing.2.017.i.i97.i.i
  %.352.i.i152.i.i = inttoptr i64 %.351.i.i151.i.i to ptr
  %.354.i.i153.i.i = load i64, ptr %.352.i.i152.i.i, align 8, !noalias !27
  %.356.i.i154.i.i = getelementptr i8, ptr %.291.i.i115.i.i, i64 8
  %.357.i.i155.i.i = load i64, ptr %.356.i.i154.i.i, align 8, !noalias !27
  %.360.not.i.i156.i.i = icmp eq i64 %.354.i.i153.i.i, %.357.i.i155.i.i
  br i1 %.360.not.i.i156.i.i, label %B646.i.i132.i.i, label %followed.exit.i89.i.i

B646.i.i132.i.i:                                  ; preds = %B558.i.i150.i.i, %B470.i.i125.i.i
  %.375.i.i133.i.i = add nsw i64 %position.4.011.i.i113.i.i, 16
  %.252.i.i134.i.i = icmp samesign ugt i64 %.26112.in.i.i112.i.i, 1
  br i1 %.252.i.i134.i.i, label %B318.i.i111.i.i, label %B658.i.i135.i.i

B658.i.i135.i.i:                                  ; preds = %B646.i.i132.i.i, %B238.i.i105.i.i
  %position.4.0.lcssa.i.i136.i.i = phi i64 [ %.164.i.i106.i.i, %B238.i.i105.i.i ], [ %3, %B646.i.i132.i.i ]
  %.388.i.i137.i.i = getelementptr i8, ptr %.138.i.i99.i.i, i64 8
  %.389.i.i138.i.i = load i64, ptr %.388.i.i137.i.i, align 8, !noalias !27
  %.390.not.i.i139.i.i = icmp eq i64 %.389.i.i138.i.i, 0
  br i1 %.390.not.i.i139.i.i, label %B780.i.i145.i.i, label %B692.i.i140.i.i

B692.i.i140.i.i:                                  ; preds = %B658.i.i135.i.i
  %.398.i.i141.i.i = add nsw i64 %.389.i.i138.i.i, %thing.2.017.i.i97.i.i
  %.401.i.i142.i.i = inttoptr i64 %.398.i.i141.i.i to ptr
  %.403.i.i143.i.i = load i64, ptr %.401.i.i142.i.i, align 8, !noalias !27
  %.406.i.i144.i.i = icmp eq i64 %.403.i.i143.i.i, 0
  br i1 %.406.i.i144.i.i, label %followed.exit.i89.i.i, label %B780.i.i145.i.i

B780.i.i145.i.i:                                  ; preds = %B692.i.i140.i.i, %B658.i.i135.i.i
  %thing.3.0.i.i146.i.i = phi i64 [ %thing.2.017.i.i97.i.i, %B658.i.i135.i.i ], [ %.403.i.i143.i.i, %B692.i.i140.i.i ]
  %.99.i.i147.i.i = icmp sgt i64 %.43.218.i.i96.i.i, 0
  %.108.i.i148.i.i = sext i1 %.99.i.i147.i.i to i64
  %.43.2.i.i149.i.i = add nsw i64 %.43.218.i.i96.i.i, %.108.i.i148.i.i
  br i1 %.99.i.i147.i.i, label %B112.i.i95.i.i, label %followed.exit.i89.i.i

followed.exit.i89.i.i: ; preds = %B780.i.i145.i.i, %B692.i.i140.i.i, %B112.i.i95.i.i, %B558.i.i150.i.i, %B470.i.i125.i.i, %B382.i.i119.i.i, %B126.i.i.i
  %thing.2.0.lcssa.sink.i.i90.i.i = phi i64 [ %.154.i.i.i, %B126.i.i.i ], [ 0, %B558.i.i150.i.i ], [ 0, %B382.i.i119.i.i ], [ 0, %B470.i.i125.i.i ], [ 0, %B692.i.i140.i.i ], [ %thing.3.0.i.i146.i.i, %B780.i.i145.i.i ], [ 0, %B112.i.i95.i.i ]
  %.181.i.i.i = load i64, ptr %.147.i.i.i, align 8, !noalias !24
  %.182.i.i.i = shl nsw i64 %.181.i.i.i, 3
  %.184.i.i.i = add nsw i64 %.182.i.i.i, %position.4.012.i.i.i
  call fastcc void @array_fits(ptr nonnull %.194.i.i.i, i64 %.14.i, i64 %thing.2.0.lcssa.sink.i.i90.i.i, i64 %.184.i.i.i, i64 %.28.i)
  %.208.i.i.i = load i64, ptr %.194.i.i.i, align 8, !noalias !24
  %.222.not.i.i.i = icmp eq i64 %.208.i.i.i, 1
  br i1 %.222.not.i.i.i, label %B124.i.i.i, label %owned_fit.exit.thread.i.i

B398.i.i.i:                                       ; preds = %B124.i.i.i, %B250.i.i
  %position.4.0.lcssa.i.i.i = phi i64 [ %.20.i84.i.i, %B250.i.i ], [ %.243.i91.i.i, %B124.i.i.i ]
  %.264.i.i.i = getelementptr i8, ptr %.19.i, i64 48
  %.265.i.i.i = load i64, ptr %.264.i.i.i, align 8, !noalias !24
  %.34714.i.i.i = icmp sgt i64 %.265.i.i.i, 0
  br i1 %.34714.i.i.i, label %B452.preheader.i.i.i, label %B304.i.i

B452.preheader.i.i.i:                             ; preds = %B398.i.i.i
  %.294.216.i.i.i = add nsw i64 %.265.i.i.i, -1
  br label %B452.i.i.i

B452.i.i.i:                                       ; preds = %B618.i.i.i, %B452.preheader.i.i.i
  %.294.218.i.i.i = phi i64 [ %.294.2.i.i.i, %B618.i.i.i ], [ %.294.216.i.i.i, %B452.preheader.i.i.i ]
  %position.5.017.i.i.i = phi i64 [ %.440.i.i.i, %B618.i.i.i ], [ %position.4.0.lcssa.i.i.i, %B452.preheader.i.i.i ]
  %.386.i.i.i = inttoptr i64 %position.5.017.i.i.i to ptr
  %.392.i.i.i = getelementptr i8, ptr %.386.i.i.i, i64 8
  %.393.i.i.i = load i64, ptr %.392.i.i.i, align 8, !noalias !24
  %.394.i.i.i = add nsw i64 %.393.i.i.i, 16
  %.395.i.i.i = inttoptr i64 %.394.i.i.i to ptr
  %.397.i.i.i = load i64, ptr %.395.i.i.i, align 8, !noalias !24
  %.15.i146.i.i.i = getelementptr i8, ptr %.386.i.i.i, i64 24
  %.16.i147.i.i.i = load i64, ptr %.15.i146.i.i.i, align 8, !noalias !30
  %.9913.i148.i.i.i = icmp sgt i64 %.16.i147.i.i.i, 0
  br i1 %.9913.i148.i.i.i, label %B112.preheader.i150.i.i.i, label %followed.exit215.i.i.i

B112.preheader.i150.i.i.i:                        ; preds = %B452.i.i.i
  %.43.215.i151.i.i.i = add nsw i64 %.16.i147.i.i.i, -1
  %.10.i152.i.i.i = add nsw i64 %position.5.017.i.i.i, 32
  br label %B112.i153.i.i.i

B112.i153.i.i.i:                                  ; preds = %B780.i203.i.i.i, %B112.preheader.i150.i.i.i
  %.43.218.i154.i.i.i = phi i64 [ %.43.2.i207.i.i.i, %B780.i203.i.i.i ], [ %.43.215.i151.i.i.i, %B112.preheader.i150.i.i.i ]
  %thing.2.017.i155.i.i.i = phi i64 [ %thing.3.0.i204.i.i.i, %B780.i203.i.i.i ], [ %.397.i.i.i, %B112.preheader.i150.i.i.i ]
  %position.3.016.i156.i.i.i = phi i64 [ %position.4.0.lcssa.i194.i.i.i, %B780.i203.i.i.i ], [ %.10.i152.i.i.i, %B112.preheader.i150.i.i.i ]
  %.138.i157.i.i.i = inttoptr i64 %position.3.016.i156.i.i.i to ptr
  %.143.i158.i.i.i = add nsw i64 %thing.2.017.i155.i.i.i, 8
  %.144.i159.i.i.i = inttoptr i64 %.143.i158.i.i.i to ptr
  %.146.i160.i.i.i = load i64, ptr %.144.i159.i.i.i, align 8, !noalias !30
  %.149.i161.i.i.i = load i64, ptr %.138.i157.i.i.i, align 8, !noalias !30
  %.150.not.i162.i.i.i = icmp eq i64 %.146.i160.i.i.i, %.149.i161.i.i.i
  br i1 %.150.not.i162.i.i.i, label %B238.i163.i.i.i, label %owned_fit.exit.thread.i.i

B238.i163.i.i.i:                                  ; preds = %B112.i153.i.i.i
  %.164.i164.i.i.i = add i64 %position.3.016.i156.i.i.i, 24
  %.171.i165.i.i.i = getelementptr i8, ptr %.138.i157.i.i.i, i64 16
  %.172.i166.i.i.i = load i64, ptr %.171.i165.i.i.i, align 8, !noalias !30
  %.2529.not.i167.i.i.i = icmp slt i64 %.172.i166.i.i.i, 1
  br i1 %.2529.not.i167.i.i.i, label %B658.i193.i.i.i, label %B318.preheader.i168.i.i.i

B318.preheader.i168.i.i.i:                        ; preds = %B238.i163.i.i.i
  %4 = shl i64 %.172.i166.i.i.i, 4
  %5 = add i64 %4, %.164.i164.i.i.i
  br label %B318.i169.i.i.i

B318.i169.i.i.i:                                  ; preds = %B646.i190.i.i.i, %B318.preheader.i168.i.i.i
  %.26112.in.i170.i.i.i = phi i64 [ %.26112.i172.i.i.i, %B646.i190.i.i.i ], [ %.172.i166.i.i.i, %B318.preheader.i168.i.i.i ]
  %position.4.011.i171.i.i.i = phi i64 [ %.375.i191.i.i.i, %B646.i190.i.i.i ], [ %.164.i164.i.i.i, %B318.preheader.i168.i.i.i ]
  %.26112.i172.i.i.i = add nsw i64 %.26112.in.i170.i.i.i, -1
  %.291.i173.i.i.i = inttoptr i64 %position.4.011.i171.i.i.i to ptr
  %.297.i174.i.i.i = load i64, ptr %.291.i173.i.i.i, align 8, !noalias !30
  %.298.i175.i.i.i = and i64 %.297.i174.i.i.i, 1
  %.299.not.i176.i.i.i = icmp eq i64 %.298.i175.i.i.i, 0
  br i1 %.299.not.i176.i.i.i, label %B558.i208.i.i.i, label %B382.i177.i.i.i

B382.i177.i.i.i:                                  ; preds = %B318.i169.i.i.i
  %.304.i178.i.i.i = and i64 %.297.i174.i.i.i, -2
  %.306.i179.i.i.i = add nsw i64 %.304.i178.i.i.i, %thing.2.017.i155.i.i.i
  %.307.i180.i.i.i = inttoptr i64 %.306.i179.i.i.i to ptr
  %.309.i181.i.i.i = load i64, ptr %.307.i180.i.i.i, align 8, !noalias !30
  %.314.i182.i.i.i = icmp eq i64 %.309.i181.i.i.i, 0
  br i1 %.314.i182.i.i.i, label %owned_fit.exit.thread.i.i, label %B470.i183.i.i.i

B470.i183.i.i.i:                                  ; preds = %B382.i177.i.i.i
  %.317.i184.i.i.i = add nsw i64 %.309.i181.i.i.i, 8
  %.320.i185.i.i.i = inttoptr i64 %.317.i184.i.i.i to ptr
  %.322.i186.i.i.i = load i64, ptr %.320.i185.i.i.i, align 8, !noalias !30
  %.324.i187.i.i.i = getelementptr i8, ptr %.291.i173.i.i.i, i64 8
  %.325.i188.i.i.i = load i64, ptr %.324.i187.i.i.i, align 8, !noalias !30
  %.328.i189.i.i.i = icmp eq i64 %.322.i186.i.i.i, %.325.i188.i.i.i
  br i1 %.328.i189.i.i.i, label %owned_fit.exit.thread.i.i, label %B646.i190.i.i.i

B558.i208.i.i.i:                                  ; preds = %B318.i169.i.i.i
  %.351.i209.i.i.i = add nsw i64 %.297.i174.i.i.i, %thing.2.017.i155.i.i.i
  %.352.i210.i.i.i = inttoptr i64 %.351.i209.i.i.i to ptr
  %.354.i211.i.i.i = load i64, ptr %.352.i210.i.i.i, align 8, !noalias !30
  %.356.i212.i.i.i = getelementptr i8, ptr %.291.i173.i.i.i, i64 8
  %.357.i213.i.i.i = load i64, ptr %.356.i212.i.i.i, align 8, !noalias !30
  %.360.not.i214.i.i.i = icmp eq i64 %.354.i211.i.i.i, %.357.i213.i.i.i
  br i1 %.360.not.i214.i.i.i, label %B646.i190.i.i.i, label %owned_fit.exit.thread.i.i

B646.i190.i.i.i:                                  ; preds = %B558.i208.i.i.i, %B470.i183.i.i.i
  %.375.i191.i.i.i = add nsw i64 %position.4.011.i171.i.i.i, 16
  %.252.i192.i.i.i = icmp samesign ugt i64 %.26112.in.i170.i.i.i, 1
  br i1 %.252.i192.i.i.i, label %B318.i169.i.i.i, label %B658.i193.i.i.i

B658.i193.i.i.i:                                  ; preds = %B646.i190.i.i.i, %B238.i163.i.i.i
  %position.4.0.lcssa.i194.i.i.i = phi i64 [ %.164.i164.i.i.i, %B238.i163.i.i.i ], [ %5, %B646.i190.i.i.i ]
  %.388.i195.i.i.i = getelementptr i8, ptr %.138.i157.i.i.i, i64 8
  %.389.i196.i.i.i = load i64, ptr %.388.i195.i.i.i, align 8, !noalias !30
  %.390.not.i197.i.i.i = icmp eq i64 %.389.i196.i.i.i, 0
  br i1 %.390.not.i197.i.i.i, label %B780.i203.i.i.i, label %B692.i198.i.i.i

B692.i198.i.i.i:                                  ; preds = %B658.i193.i.i.i
  %.398.i199.i.i.i = add nsw i64 %.389.i196.i.i.i, %thing.2.017.i155.i.i.i
  %.401.i200.i.i.i = inttoptr i64 %.398.i199.i.i.i to ptr
  %.403.i201.i.i.i = load i64, ptr %.401.i200.i.i.i, align 8, !noalias !30
  %.406.i202.i.i.i = icmp eq i64 %.403.i201.i.i.i, 0
  br i1 %.406.i202.i.i.i, label %owned_fit.exit.thread.i.i, label %B780.i203.i.i.i

B780.i203.i.i.i:                                  ; preds = %B692.i198.i.i.i, %B658.i193.i.i.i
  %thing.3.0.i204.i.i.i = phi i64 [ %thing.2.017.i155.i.i.i, %B658.i193.i.i.i ], [ %.403.i201.i.i.i, %B692.i198.i.i.i ]
  %.99.i205.i.i.i = icmp sgt i64 %.43.218.i154.i.i.i, 0
  %.108.i206.i.i.i = sext i1 %.99.i205.i.i.i to i64
  %.43.2.i207.i.i.i = add nsw i64 %.43.218.i154.i.i.i, %.108.i206.i.i.i
  br i1 %.99.i205.i.i.i, label %B112.i153.i.i.i, label %followed.exit215.i.i.i

followed.exit215.i.i.i: ; preds = %B780.i203.i.i.i, %B452.i.i.i
  %thing.2.0.lcssa.sink.i149.i.i.i = phi i64 [ %.397.i.i.i, %B452.i.i.i ], [ %thing.3.0.i204.i.i.i, %B780.i203.i.i.i ]
  %.423.i.i.i = icmp eq i64 %thing.2.0.lcssa.sink.i149.i.i.i, 0
  br i1 %.423.i.i.i, label %owned_fit.exit.thread.i.i, label %B618.i.i.i

B618.i.i.i:                                       ; preds = %followed.exit215.i.i.i
  %.435.i.i.i = load i64, ptr %.386.i.i.i, align 8, !noalias !24
  %.438.i.i.i = shl nsw i64 %.435.i.i.i, 3
  %.440.i.i.i = add nsw i64 %.438.i.i.i, %position.5.017.i.i.i
  %.347.i.i.i = icmp sgt i64 %.294.218.i.i.i, 0
  %.356.i.i.i = sext i1 %.347.i.i.i to i64
  %.294.2.i.i.i = add nsw i64 %.294.218.i.i.i, %.356.i.i.i
  br i1 %.347.i.i.i, label %B452.i.i.i, label %B304.i.i

owned_fit.exit.thread.i.i: ; preds = %followed.exit.i89.i.i, %followed.exit215.i.i.i, %B692.i198.i.i.i, %B112.i153.i.i.i, %B558.i208.i.i.i, %B470.i183.i.i.i, %B382.i177.i.i.i
  %.sink.i85.ph.i.i = phi i64 [ 0, %B692.i198.i.i.i ], [ 0, %followed.exit215.i.i.i ], [ 0, %B558.i208.i.i.i ], [ 0, %B382.i177.i.i.i ], [ 0, %B470.i183.i.i.i ], [ 0, %B112.i153.i.i.i ], [ %.208.i.i.i, %followed.exit.i89.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.194.i.i.i), !noalias !3
  br label %B334.i.i

B304.i.i:                                         ; preds = %B618.i.i.i, %B398.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.194.i.i.i), !noalias !3
  %.13.i.i.i = getelementptr i8, ptr %.19.i, i64 64
  %.14.i157.i.i = load i64, ptr %.13.i.i.i, align 8, !noalias !33
  %.19.i158.i.i = icmp eq i64 %.14.i157.i.i, 0
  br i1 %.19.i158.i.i, label %B404.i.i, label %B86.i.i.i

B86.i.i.i:                                        ; preds = %B304.i.i
  %.30.i.i.i = getelementptr i8, ptr %.19.i, i64 72
  %.31.i159.i.i = load i64, ptr %.30.i.i.i, align 8, !noalias !33
  %.32.i160.i.i = inttoptr i64 %.31.i159.i.i to ptr
  %.34.i.i.i = load i64, ptr %.32.i160.i.i, align 8, !noalias !33
  %.36.i.i.i = getelementptr i8, ptr %.19.i, i64 80
  %.37.i.i.i = load i64, ptr %.36.i.i.i, align 8, !noalias !33
  %.38.not.i.i.i = icmp eq i64 %.34.i.i.i, %.37.i.i.i
  br i1 %.38.not.i.i.i, label %B194.i.i.i, label %B438.i.i

B194.i.i.i:                                       ; preds = %B86.i.i.i
  %.49.i.i.i = getelementptr i8, ptr %.19.i, i64 88
  %.50.i.i.i = load i64, ptr %.49.i.i.i, align 8, !noalias !33
  %.51.i.i.i = shl nsw i64 %.50.i.i.i, 3
  %.53.i.i.i = add nsw i64 %.51.i.i.i, %.14.i
  %.54.i.i.i = inttoptr i64 %.53.i.i.i to ptr
  %.56.i.i.i = getelementptr i8, ptr %.19.i, i64 56
  %.57.i.i.i = load i64, ptr %.56.i.i.i, align 8, !noalias !33
  %.60.i.i.i = shl nsw i64 %.57.i.i.i, 3
  %.62.i.i.i = add nsw i64 %.60.i.i.i, %.14.i
  %.65.i.i.i = inttoptr i64 %.62.i.i.i to ptr
  %spec.select1.i.i.i = call i64 @llvm.smax.i64(i64 %.14.i157.i.i, i64 0)
  %.1592.not.i.i.i = icmp eq i64 %spec.select1.i.i.i, 0
  br i1 %.1592.not.i.i.i, label %B404.i.i, label %B358.i161.i.i.preheader

B358.i161.i.i.preheader:                          ; preds = %B194.i.i.i
  %xtraiter = and i64 %.14.i157.i.i, 3
  %6 = icmp ult i64 %.14.i157.i.i, 4
  br i1 %6, label %B358.i161.i.i.epil.preheader, label %B358.i161.i.i.preheader.new

B358.i161.i.i.preheader.new:                      ; preds = %B358.i161.i.i.preheader
  %unroll_iter = and i64 %.14.i157.i.i, -4
  br label %B358.i161.i.i

B358.i161.i.i:                                    ; preds = %B358.i161.i.i, %B358.i161.i.i.preheader.new
  %missing.2.05.i.i.i = phi i64 [ 0, %B358.i161.i.i.preheader.new ], [ %.220.i.i.i.3, %B358.i161.i.i ]
  %.101.03.i.i.i = phi i64 [ 0, %B358.i161.i.i.preheader.new ], [ %.172.i162.i.i.3, %B358.i161.i.i ]
  %niter = phi i64 [ 0, %B358.i161.i.i.preheader.new ], [ %niter.next.3, %B358.i161.i.i ]
  %.198.i.i.i = getelementptr i64, ptr %.65.i.i.i, i64 %.101.03.i.i.i
  %.199.i.i.i = load i64, ptr %.198.i.i.i, align 8, !noalias !33
  %.201.i.i.i = getelementptr i64, ptr %.54.i.i.i, i64 %.199.i.i.i
  %.202.i.i.i = load i64, ptr %.201.i.i.i, align 8, !noalias !33
  %.203.i.i.i = icmp eq i64 %.202.i.i.i, 0
  %spec.select.i163.i.i = zext i1 %.203.i.i.i to i64
  %.220.i.i.i = add nuw nsw i64 %missing.2.05.i.i.i, %spec.select.i163.i.i
  %7 = getelementptr i64, ptr %.65.i.i.i, i64 %.101.03.i.i.i
  %.198.i.i.i.1 = getelementptr i8, ptr %7, i64 8
  %.199.i.i.i.1 = load i64, ptr %.198.i.i.i.1, align 8, !noalias !33
  %.201.i.i.i.1 = getelementptr i64, ptr %.54.i.i.i, i64 %.199.i.i.i.1
  %.202.i.i.i.1 = load i64, ptr %.201.i.i.i.1, align 8, !noalias !33
  %.203.i.i.i.1 = icmp eq i64 %.202.i.i.i.1, 0
  %spec.select.i163.i.i.1 = zext i1 %.203.i.i.i.1 to i64
  %.220.i.i.i.1 = add nuw nsw i64 %.220.i.i.i, %spec.select.i163.i.i.1
  %8 = getelementptr i64, ptr %.65.i.i.i, i64 %.101.03.i.i.i
  %.198.i.i.i.2 = getelementptr i8, ptr %8, i64 16
  %.199.i.i.i.2 = load i64, ptr %.198.i.i.i.2, align 8, !noalias !33
  %.201.i.i.i.2 = getelementptr i64, ptr %.54.i.i.i, i64 %.199.i.i.i.2
  %.202.i.i.i.2 = load i64, ptr %.201.i.i.i.2, align 8, !noalias !33
  %.203.i.i.i.2 = icmp eq i64 %.202.i.i.i.2, 0
  %spec.select.i163.i.i.2 = zext i1 %.203.i.i.i.2 to i64
  %.220.i.i.i.2 = add nuw nsw i64 %.220.i.i.i.1, %spec.select.i163.i.i.2
  %.172.i162.i.i.3 = add nuw nsw i64 %.101.03.i.i.i, 4
  %9 = getelementptr i64, ptr %.65.i.i.i, i64 %.101.03.i.i.i
  %.198.i.i.i.3 = getelementptr i8, ptr %9, i64 24
  %.199.i.i.i.3 = load i64, ptr %.198.i.i.i.3, align 8, !noalias !33
  %.201.i.i.i.3 = getelementptr i64, ptr %.54.i.i.i, i64 %.199.i.i.i.3
  %.202.i.i.i.3 = load i64, ptr %.201.i.i.i.3, align 8, !noalias !33
  %.203.i.i.i.3 = icmp eq i64 %.202.i.i.i.3, 0
  %spec.select.i163.i.i.3 = zext i1 %.203.i.i.i.3 to i64
  %.220.i.i.i.3 = add nuw nsw i64 %.220.i.i.i.2, %spec.select.i163.i.i.3
  %niter.next.3 = add i64 %niter, 4
  %niter.ncmp.3 = icmp eq i64 %niter.next.3, %unroll_iter
  br i1 %niter.ncmp.3, label %B412.loopexit.i.i.i.unr-lcssa, label %B358.i161.i.i

B412.loopexit.i.i.i.unr-lcssa:                    ; preds = %B358.i161.i.i
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B412.loopexit.i.i.i, label %B358.i161.i.i.epil.preheader

B358.i161.i.i.epil.preheader:                     ; preds = %B412.loopexit.i.i.i.unr-lcssa, %B358.i161.i.i.preheader
  %missing.2.05.i.i.i.epil.init = phi i64 [ 0, %B358.i161.i.i.preheader ], [ %.220.i.i.i.3, %B412.loopexit.i.i.i.unr-lcssa ]
  %.101.03.i.i.i.epil.init = phi i64 [ 0, %B358.i161.i.i.preheader ], [ %.172.i162.i.i.3, %B412.loopexit.i.i.i.unr-lcssa ]
  %lcmp.mod50 = icmp ne i64 %xtraiter, 0
  call void @llvm.assume(i1 %lcmp.mod50)
  br label %B358.i161.i.i.epil

B358.i161.i.i.epil:                               ; preds = %B358.i161.i.i.epil, %B358.i161.i.i.epil.preheader
  %missing.2.05.i.i.i.epil = phi i64 [ %.220.i.i.i.epil, %B358.i161.i.i.epil ], [ %missing.2.05.i.i.i.epil.init, %B358.i161.i.i.epil.preheader ]
  %.101.03.i.i.i.epil = phi i64 [ %.172.i162.i.i.epil, %B358.i161.i.i.epil ], [ %.101.03.i.i.i.epil.init, %B358.i161.i.i.epil.preheader ]
  %epil.iter = phi i64 [ %epil.iter.next, %B358.i161.i.i.epil ], [ 0, %B358.i161.i.i.epil.preheader ]
  %.172.i162.i.i.epil = add nuw nsw i64 %.101.03.i.i.i.epil, 1
  %.198.i.i.i.epil = getelementptr i64, ptr %.65.i.i.i, i64 %.101.03.i.i.i.epil
  %.199.i.i.i.epil = load i64, ptr %.198.i.i.i.epil, align 8, !noalias !33
  %.201.i.i.i.epil = getelementptr i64, ptr %.54.i.i.i, i64 %.199.i.i.i.epil
  %.202.i.i.i.epil = load i64, ptr %.201.i.i.i.epil, align 8, !noalias !33
  %.203.i.i.i.epil = icmp eq i64 %.202.i.i.i.epil, 0
  %spec.select.i163.i.i.epil = zext i1 %.203.i.i.i.epil to i64
  %.220.i.i.i.epil = add nuw nsw i64 %missing.2.05.i.i.i.epil, %spec.select.i163.i.i.epil
  %epil.iter.next = add i64 %epil.iter, 1
  %epil.iter.cmp.not = icmp eq i64 %epil.iter.next, %xtraiter
  br i1 %epil.iter.cmp.not, label %B412.loopexit.i.i.i, label %B358.i161.i.i.epil, !llvm.loop !36

B412.loopexit.i.i.i:                              ; preds = %B358.i161.i.i.epil, %B412.loopexit.i.i.i.unr-lcssa
  %.220.i.i.i.lcssa = phi i64 [ %.220.i.i.i.3, %B412.loopexit.i.i.i.unr-lcssa ], [ %.220.i.i.i.epil, %B358.i161.i.i.epil ]
  %10 = icmp ne i64 %.220.i.i.i.lcssa, 0
  %brmerge16.i.i = select i1 %10, i1 true, i1 %"$phi128.0.2.0.i.i"
  br i1 %brmerge16.i.i, label %B438.i.i, label %B408.i.i

B334.i.i:                                         ; preds = %owned_fit.exit.thread.i.i, %given_fit.exit.thread.i.i
  %fits.4.0.i.i = phi i64 [ %.sink.i.ph.i.i, %given_fit.exit.thread.i.i ], [ %.sink.i85.ph.i.i, %owned_fit.exit.thread.i.i ]
  switch i64 %fits.4.0.i.i, label %B404.i.i [
    i64 0, label %issued.exitthread-pre-split.i
    i64 -1, label %B438.i.i
  ]

B404.i.i:                                         ; preds = %B334.i.i, %B194.i.i.i, %B304.i.i
  br i1 %"$phi128.0.2.0.i.i", label %B438.i.i, label %B408.i.i

B408.i.i:                                         ; preds = %B404.i.i, %B412.loopexit.i.i.i
  %.13.i165.i.i = getelementptr i8, ptr %.19.i, i64 112
  %.14.i166.i.i = load i64, ptr %.13.i165.i.i, align 8, !noalias !38
  %.15.not.i.i.i = icmp eq i64 %.14.i166.i.i, 0
  br i1 %.15.not.i.i.i, label %B72.i.i.i, label %B464.i.i

B72.i.i.i:                                        ; preds = %B408.i.i
  %.25.i168.i.i = getelementptr i8, ptr %.19.i, i64 88
  %.26.i169.i.i = load i64, ptr %.25.i168.i.i, align 8, !noalias !38
  %.27.i.i.i = shl nsw i64 %.26.i169.i.i, 3
  %.29.i170.i.i = add nsw i64 %.27.i.i.i, %.14.i
  %.30.i171.i.i = inttoptr i64 %.29.i170.i.i to ptr
  %.32.i172.i.i = getelementptr i8, ptr %.19.i, i64 96
  %.33.i173.i.i = load i64, ptr %.32.i172.i.i, align 8, !noalias !38
  %.34.i174.i.i = shl nsw i64 %.33.i173.i.i, 3
  %.36.i175.i.i = add nsw i64 %.34.i174.i.i, %.14.i
  %.46.i.i.i = getelementptr i8, ptr %.19.i, i64 104
  %.47.i.i.i = load i64, ptr %.46.i.i.i, align 8, !noalias !38
  %.88.i.i.i = add i64 %.47.i.i.i, -1
  %.1345.i.i.i = icmp sgt i64 %.88.i.i.i, 0
  br i1 %.1345.i.i.i, label %B236.preheader.i.i.i, label %B818.endif.i.i.i

B236.preheader.i.i.i:                             ; preds = %B72.i.i.i
  %.78.29.i.i.i = add i64 %.47.i.i.i, -2
  br label %B236.i.i.i

B236.i.i.i:                                       ; preds = %B704.i.i.i, %B236.preheader.i.i.i
  %.78.212.i.i.i = phi i64 [ %.78.2.i.i.i, %B704.i.i.i ], [ %.78.29.i.i.i, %B236.preheader.i.i.i ]
  %.75.111.i.i.i = phi i64 [ %.75.1.i.i.i, %B704.i.i.i ], [ 2, %B236.preheader.i.i.i ]
  %.75.010.i.i.i = phi i64 [ %.75.111.i.i.i, %B704.i.i.i ], [ 1, %B236.preheader.i.i.i ]
  %11 = shl nsw i64 %.75.010.i.i.i, 5
  %.175.i.i.i = add nsw i64 %11, %.36.i175.i.i
  %.182.i177.i.i = inttoptr i64 %.175.i.i.i to ptr
  %.184.i178.i.i = load i64, ptr %.182.i177.i.i, align 8, !noalias !38
  %.185.i.i.i = getelementptr i8, ptr %.182.i177.i.i, i64 8
  %.186.i.i.i = load i64, ptr %.185.i.i.i, align 8, !noalias !38
  %.187.i.i.i = getelementptr i8, ptr %.182.i177.i.i, i64 16
  %.188.i.i.i = load i64, ptr %.187.i.i.i, align 8, !noalias !38
  %.189.i.i.i = getelementptr i8, ptr %.182.i177.i.i, i64 24
  %.190.i.i.i = load i64, ptr %.189.i.i.i, align 8, !noalias !38
  %.213.i.i.i = getelementptr i64, ptr %.30.i171.i.i, i64 %.184.i178.i.i
  %.214.i.i.i = load i64, ptr %.213.i.i.i, align 8, !noalias !38
  %.216.i.i.i = add nsw i64 %.214.i.i.i, %.186.i.i.i
  %.221.i.i.i = icmp sgt i64 %.75.010.i.i.i, 0
  br i1 %.221.i.i.i, label %B444.i.i.i, label %B704.i.i.i

B444.i.i.i:                                       ; preds = %B236.i.i.i, %B612.preheader.i.i.i
  %place.2.0.i.i.i = phi i64 [ %.230.i.i.i, %B612.preheader.i.i.i ], [ %.175.i.i.i, %B236.i.i.i ]
  %.230.i.i.i = add nsw i64 %place.2.0.i.i.i, -32
  %.231.i.i.i = inttoptr i64 %.230.i.i.i to ptr
  %.237.i.i.i = load i64, ptr %.231.i.i.i, align 8, !noalias !38
  %.239.i181.i.i = getelementptr i64, ptr %.30.i171.i.i, i64 %.237.i.i.i
  %.240.i182.i.i = load i64, ptr %.239.i181.i.i, align 8, !noalias !38
  %.242.i.i.i = getelementptr i8, ptr %.231.i.i.i, i64 8
  %.243.i183.i.i = load i64, ptr %.242.i.i.i, align 8, !noalias !38
  %.244.i.i.i = add nsw i64 %.243.i183.i.i, %.240.i182.i.i
  %.246.not.i.i.i = icmp sgt i64 %.244.i.i.i, %.216.i.i.i
  %.379.i.i.i = inttoptr i64 %place.2.0.i.i.i to ptr
  br i1 %.246.not.i.i.i, label %B612.preheader.i.i.i, label %B704.i.i.i

B612.preheader.i.i.i:                             ; preds = %B444.i.i.i
  store i64 %.237.i.i.i, ptr %.379.i.i.i, align 8, !noalias !38
  %.377.1.i.i.i = load i64, ptr %.242.i.i.i, align 8, !noalias !38
  %.380.1.i.i.i = getelementptr i8, ptr %.379.i.i.i, i64 8
  store i64 %.377.1.i.i.i, ptr %.380.1.i.i.i, align 8, !noalias !38
  %.376.2.i.i.i = getelementptr i8, ptr %.231.i.i.i, i64 16
  %.377.2.i.i.i = load i64, ptr %.376.2.i.i.i, align 8, !noalias !38
  %.380.2.i.i.i = getelementptr i8, ptr %.379.i.i.i, i64 16
  store i64 %.377.2.i.i.i, ptr %.380.2.i.i.i, align 8, !noalias !38
  %.376.3.i.i.i = getelementptr i8, ptr %.231.i.i.i, i64 24
  %.377.3.i.i.i = load i64, ptr %.376.3.i.i.i, align 8, !noalias !38
  %.380.3.i.i.i = getelementptr i8, ptr %.379.i.i.i, i64 24
  store i64 %.377.3.i.i.i, ptr %.380.3.i.i.i, align 8, !noalias !38
  %.397.i184.i.i = icmp sgt i64 %.230.i.i.i, %.36.i175.i.i
  br i1 %.397.i184.i.i, label %B444.i.i.i, label %B704.i.i.i

B704.i.i.i:                                       ; preds = %B612.preheader.i.i.i, %B444.i.i.i, %B236.i.i.i
  %.409.pre-phi.i.i.i = phi ptr [ %.182.i177.i.i, %B236.i.i.i ], [ %.231.i.i.i, %B612.preheader.i.i.i ], [ %.379.i.i.i, %B444.i.i.i ]
  store i64 %.184.i178.i.i, ptr %.409.pre-phi.i.i.i, align 8, !noalias !38
  %.418.i.i.i = getelementptr i8, ptr %.409.pre-phi.i.i.i, i64 8
  store i64 %.186.i.i.i, ptr %.418.i.i.i, align 8, !noalias !38
  %.423.i179.i.i = getelementptr i8, ptr %.409.pre-phi.i.i.i, i64 16
  store i64 %.188.i.i.i, ptr %.423.i179.i.i, align 8, !noalias !38
  %.428.i.i.i = getelementptr i8, ptr %.409.pre-phi.i.i.i, i64 24
  store i64 %.190.i.i.i, ptr %.428.i.i.i, align 8, !noalias !38
  %.134.i.i.i = icmp sgt i64 %.78.212.i.i.i, 0
  %.147.i180.i.i = zext i1 %.134.i.i.i to i64
  %.75.1.i.i.i = add i64 %.75.111.i.i.i, %.147.i180.i.i
  %.143.i.i.i = sext i1 %.134.i.i.i to i64
  %.78.2.i.i.i = add nsw i64 %.78.212.i.i.i, %.143.i.i.i
  br i1 %.134.i.i.i, label %B236.i.i.i, label %B818.endif.i.i.i

B860.i.i.i:                                       ; preds = %B818.endif.i.i.i, %B1108.i.i.i
  %.54219.i.i.i = phi i64 [ %.542.i.i.i, %B1108.i.i.i ], [ 1, %B818.endif.i.i.i ]
  %written_to.2.017.i.i.i = phi i64 [ %written_to.3.0.i.i.i, %B1108.i.i.i ], [ 0, %B818.endif.i.i.i ]
  %reached.2.016.i.i.i = phi i64 [ %.11.i.i.i.i, %B1108.i.i.i ], [ 0, %B818.endif.i.i.i ]
  %.473.015.i.i.i = phi i64 [ %.54219.i.i.i, %B1108.i.i.i ], [ 0, %B818.endif.i.i.i ]
  %12 = shl nsw i64 %.473.015.i.i.i, 5
  %.570.i.i.i = add nsw i64 %12, %.36.i175.i.i
  %.571.i.i.i = inttoptr i64 %.570.i.i.i to ptr
  %.577.i.i.i = load i64, ptr %.571.i.i.i, align 8, !noalias !38
  %.579.i.i.i = getelementptr i64, ptr %.30.i171.i.i, i64 %.577.i.i.i
  %.580.i.i.i = load i64, ptr %.579.i.i.i, align 8, !noalias !38
  %.582.i.i.i = getelementptr i8, ptr %.571.i.i.i, i64 8
  %.583.i.i.i = load i64, ptr %.582.i.i.i, align 8, !noalias !38
  %.584.i.i.i = add nsw i64 %.583.i.i.i, %.580.i.i.i
  %.599.i.i.i = getelementptr i8, ptr %.571.i.i.i, i64 24
  %.600.i.i.i = load i64, ptr %.599.i.i.i, align 8, !noalias !38
  %.601.not.i.i.i = icmp eq i64 %.600.i.i.i, 0
  %storemerge.i.i.i = select i1 %.601.not.i.i.i, i64 %written_to.2.017.i.i.i, i64 %reached.2.016.i.i.i
  %.617.i.i.i = icmp slt i64 %.584.i.i.i, %storemerge.i.i.i
  br i1 %.617.i.i.i, label %B438.i.i, label %B1108.i.i.i

B1108.i.i.i:                                      ; preds = %B860.i.i.i
  %.592.i.i.i = getelementptr i8, ptr %.571.i.i.i, i64 16
  %.593.i.i.i = load i64, ptr %.592.i.i.i, align 8, !noalias !38
  %.594.i.i.i = add nsw i64 %.593.i.i.i, %.580.i.i.i
  %.11.i.i.i.i = call i64 @llvm.smax.i64(i64 %.594.i.i.i, i64 %reached.2.016.i.i.i)
  %.11.i210.i.i.i = call i64 @llvm.smax.i64(i64 %.594.i.i.i, i64 %written_to.2.017.i.i.i)
  %written_to.3.0.i.i.i = select i1 %.601.not.i.i.i, i64 %written_to.2.017.i.i.i, i64 %.11.i210.i.i.i
  %.542.i.i.i = add nuw i64 %.54219.i.i.i, 1
  %exitcond.not.i176.i.i = icmp eq i64 %.54219.i.i.i, %.47.i.i.i
  br i1 %exitcond.not.i176.i.i, label %B1208.i.i.i, label %B860.i.i.i

B1208.i.i.i:                                      ; preds = %B1108.i.i.i, %B818.endif.i.i.i
  store i64 1, ptr %.13.i165.i.i, align 8, !noalias !38
  br label %B464.i.i

B818.endif.i.i.i:                                 ; preds = %B704.i.i.i, %B72.i.i.i
  %.52913.not.i.i.i = icmp slt i64 %.47.i.i.i, 1
  br i1 %.52913.not.i.i.i, label %B1208.i.i.i, label %B860.i.i.i

B438.i.i:                                         ; preds = %B860.i.i.i, %B404.i.i, %B334.i.i, %B412.loopexit.i.i.i, %B86.i.i.i
  br label %issued.exitthread-pre-split.i

B464.i.i:                                         ; preds = %B1208.i.i.i, %B408.i.i
  %.260.i.i = getelementptr i8, ptr %.19.i, i64 88
  %.270.i.i = load i64, ptr %.22.i.i, align 8, !noalias !3
  %.36025.not.i.i = icmp slt i64 %.270.i.i, 1
  %.11.i185.pre36.i.i = load i64, ptr %.260.i.i, align 8, !noalias !41
  br i1 %.36025.not.i.i, label %B702.i.i, label %B588.lr.ph.i.i

B588.lr.ph.i.i:                                   ; preds = %B464.i.i
  %.272.i.i = sub nsw i64 %.3, %.270.i.i
  %.262.i.i = shl nsw i64 %.11.i185.pre36.i.i, 3
  %.264.i.i = add nsw i64 %.262.i.i, %.14.i
  %13 = getelementptr i64, ptr %.2, i64 %.272.i.i
  %.406.i.i = inttoptr i64 %.264.i.i to ptr
  %.408.i.i = getelementptr i8, ptr %.19.i, i64 16
  br label %B588.i.i

B588.i.i:                                         ; preds = %B588.i.i, %B588.lr.ph.i.i
  %.304.026.i.i = phi i64 [ 0, %B588.lr.ph.i.i ], [ %.373.i.i, %B588.i.i ]
  %.373.i.i = add nuw nsw i64 %.304.026.i.i, 1
  %.401.i.i = getelementptr i64, ptr %13, i64 %.304.026.i.i
  %.402.i.i = load i64, ptr %.401.i.i, align 8, !noalias !3
  %.404.i.i = call i64 @PyLong_AsLongLongAndOverflow(i64 %.402.i.i, i64 %.28.i), !noalias !3
  %.409.i.i = load i64, ptr %.408.i.i, align 8, !noalias !3
  %14 = getelementptr i64, ptr %.406.i.i, i64 %.409.i.i
  %.411.i.i = getelementptr i64, ptr %14, i64 %.304.026.i.i
  store i64 %.404.i.i, ptr %.411.i.i, align 8, !noalias !3
  %exitcond.not.i.i = icmp eq i64 %.373.i.i, %.270.i.i
  br i1 %exitcond.not.i.i, label %B702.loopexit.i.i, label %B588.i.i

B702.loopexit.i.i:                                ; preds = %B588.i.i
  %.11.i185.pre.i.i = load i64, ptr %.260.i.i, align 8, !noalias !41
  br label %B702.i.i

B702.i.i:                                         ; preds = %B702.loopexit.i.i, %B464.i.i
  %.11.i185.i.i = phi i64 [ %.11.i185.pre.i.i, %B702.loopexit.i.i ], [ %.11.i185.pre36.i.i, %B464.i.i ]
  %.12.i.i.i = shl nsw i64 %.11.i185.i.i, 3
  %.13.i186.i.i = add nsw i64 %.12.i.i.i, %.14.i
  %.14.i187.i.i = inttoptr i64 %.13.i186.i.i to ptr
  %.19.i188.i.i = getelementptr i8, ptr %.19.i, i64 120
  %.20.i189.i.i = load i64, ptr %.19.i188.i.i, align 8, !noalias !41
  %.21.i190.i.i = shl nsw i64 %.20.i189.i.i, 3
  %.22.i.i.i = add nsw i64 %.21.i190.i.i, %.14.i
  %.23.i191.i.i = inttoptr i64 %.22.i.i.i to ptr
  %.28.i.i.i = getelementptr i8, ptr %.19.i, i64 312
  %.29.i192.i.i = load i64, ptr %.28.i.i.i, align 8, !noalias !41
  %.1113.not.i.i.i = icmp slt i64 %.29.i192.i.i, 1
  br i1 %.1113.not.i.i.i, label %B338.i.i.i, label %B216.lr.ph.i.i.i

B216.lr.ph.i.i.i:                                 ; preds = %B702.i.i
  %.30.i.i.i.i = getelementptr i8, ptr %.19.i, i64 152
  br label %B216.i.i.i

B216.i.i.i:                                       ; preds = %set_word.exit.i.i.i, %B216.lr.ph.i.i.i
  %.1247.i.i.i = phi i64 [ 1, %B216.lr.ph.i.i.i ], [ %.124.i.i.i, %set_word.exit.i.i.i ]
  %.53.05.i.i.i = phi i64 [ 0, %B216.lr.ph.i.i.i ], [ %.1247.i.i.i, %set_word.exit.i.i.i ]
  %15 = mul i64 %.53.05.i.i.i, 24
  %.152.i193.i.i = getelementptr i8, ptr %.23.i191.i.i, i64 %15
  %.153.i.i.i = load i64, ptr %.152.i193.i.i, align 8, !noalias !41
  %.157.i.i.i = getelementptr i8, ptr %.152.i193.i.i, i64 8
  %.158.i.i.i = load i64, ptr %.157.i.i.i, align 8, !noalias !41
  %.160.i194.i.i = getelementptr i64, ptr %.14.i187.i.i, i64 %.158.i.i.i
  %.161.i195.i.i = load i64, ptr %.160.i194.i.i, align 8, !noalias !41
  %.165.i.i.i = getelementptr i8, ptr %.152.i193.i.i, i64 16
  %.166.i196.i.i = load i64, ptr %.165.i.i.i, align 8, !noalias !41
  %.167.i197.i.i = add nsw i64 %.166.i196.i.i, %.161.i195.i.i
  %.15.i.i198.i.i = getelementptr i64, ptr %.19.i, i64 %.153.i.i.i
  %.16.i.i199.i.i = load i64, ptr %.15.i.i198.i.i, align 8, !noalias !44
  %.18.not.i.i200.i.i = icmp eq i64 %.16.i.i199.i.i, %.167.i197.i.i
  br i1 %.18.not.i.i200.i.i, label %set_word.exit.i.i.i, label %B28.i.i201.i.i

B28.i.i201.i.i:                                   ; preds = %B216.i.i.i
  store i64 %.167.i197.i.i, ptr %.15.i.i198.i.i, align 8, !noalias !44
  store i64 0, ptr %.30.i.i.i.i, align 8, !noalias !44
  br label %set_word.exit.i.i.i

set_word.exit.i.i.i: ; preds = %B28.i.i201.i.i, %B216.i.i.i
  %.124.i.i.i = add nuw i64 %.1247.i.i.i, 1
  %exitcond.not.i202.i.i = icmp eq i64 %.1247.i.i.i, %.29.i192.i.i
  br i1 %exitcond.not.i202.i.i, label %B338.loopexit.i.i.i, label %B216.i.i.i

B338.loopexit.i.i.i:                              ; preds = %set_word.exit.i.i.i
  %.200.pre.i.i.i = load i64, ptr %.28.i.i.i, align 8, !noalias !41
  br label %B338.i.i.i

B338.i.i.i:                                       ; preds = %B338.loopexit.i.i.i, %B702.i.i
  %.200.i.i.i = phi i64 [ %.200.pre.i.i.i, %B338.loopexit.i.i.i ], [ %.29.i192.i.i, %B702.i.i ]
  %.202.i203.i.i = getelementptr i8, ptr %.19.i, i64 128
  %.203.i204.i.i = load i64, ptr %.202.i203.i.i, align 8, !noalias !41
  %.240.i205.i.i = sub i64 %.203.i204.i.i, %.200.i.i.i
  %.2838.not.i.i.i = icmp slt i64 %.240.i205.i.i, 1
  br i1 %.2838.not.i.i.i, label %fill_in.exit.i.i, label %B416.i.i.i.preheader

B416.i.i.i.preheader:                             ; preds = %B338.i.i.i
  %.neg = add i64 %.200.i.i.i, 1
  %xtraiter51 = and i64 %.240.i205.i.i, 1
  %lcmp.mod52.not = icmp eq i64 %xtraiter51, 0
  br i1 %lcmp.mod52.not, label %B416.i.i.i.prol.loopexit, label %B416.i.i.i.prol

B416.i.i.i.prol:                                  ; preds = %B416.i.i.i.preheader
  %16 = mul i64 %.200.i.i.i, 24
  %.296.i.i.i.prol = add i64 %.200.i.i.i, 1
  %.292.i.i.i.prol = add nsw i64 %.240.i205.i.i, -1
  %17 = getelementptr i8, ptr %.23.i191.i.i, i64 %16
  %.324.i.i.i.prol = getelementptr i8, ptr %17, i64 8
  %.325.i.i.i.prol = load i64, ptr %.324.i.i.i.prol, align 8, !noalias !41
  %.327.i.i.i.prol = getelementptr i64, ptr %.14.i187.i.i, i64 %.325.i.i.i.prol
  %.328.i.i.i.prol = load i64, ptr %.327.i.i.i.prol, align 8, !noalias !41
  %.332.i206.i.i.prol = getelementptr i8, ptr %17, i64 16
  %.333.i207.i.i.prol = load i64, ptr %.332.i206.i.i.prol, align 8, !noalias !41
  %.334.i.i.i.prol = add nsw i64 %.333.i207.i.i.prol, %.328.i.i.i.prol
  %.338.i208.i.i.prol = load i64, ptr %17, align 8, !noalias !41
  %.340.i209.i.i.prol = getelementptr i64, ptr %.19.i, i64 %.338.i208.i.i.prol
  store i64 %.334.i.i.i.prol, ptr %.340.i209.i.i.prol, align 8, !noalias !41
  br label %B416.i.i.i.prol.loopexit

B416.i.i.i.prol.loopexit:                         ; preds = %B416.i.i.i.prol, %B416.i.i.i.preheader
  %.230.010.i.i.i.unr = phi i64 [ %.240.i205.i.i, %B416.i.i.i.preheader ], [ %.292.i.i.i.prol, %B416.i.i.i.prol ]
  %.227.09.i.i.i.unr = phi i64 [ %.200.i.i.i, %B416.i.i.i.preheader ], [ %.296.i.i.i.prol, %B416.i.i.i.prol ]
  %18 = icmp eq i64 %.203.i204.i.i, %.neg
  br i1 %18, label %fill_in.exit.i.i, label %B416.i.i.i

B416.i.i.i:                                       ; preds = %B416.i.i.i.prol.loopexit, %B416.i.i.i
  %.230.010.i.i.i = phi i64 [ %.292.i.i.i.1, %B416.i.i.i ], [ %.230.010.i.i.i.unr, %B416.i.i.i.prol.loopexit ]
  %.227.09.i.i.i = phi i64 [ %.296.i.i.i.1, %B416.i.i.i ], [ %.227.09.i.i.i.unr, %B416.i.i.i.prol.loopexit ]
  %19 = mul i64 %.227.09.i.i.i, 24
  %20 = getelementptr i8, ptr %.23.i191.i.i, i64 %19
  %.324.i.i.i = getelementptr i8, ptr %20, i64 8
  %.325.i.i.i = load i64, ptr %.324.i.i.i, align 8, !noalias !41
  %.327.i.i.i = getelementptr i64, ptr %.14.i187.i.i, i64 %.325.i.i.i
  %.328.i.i.i = load i64, ptr %.327.i.i.i, align 8, !noalias !41
  %.332.i206.i.i = getelementptr i8, ptr %20, i64 16
  %.333.i207.i.i = load i64, ptr %.332.i206.i.i, align 8, !noalias !41
  %.334.i.i.i = add nsw i64 %.333.i207.i.i, %.328.i.i.i
  %.338.i208.i.i = load i64, ptr %20, align 8, !noalias !41
  %.340.i209.i.i = getelementptr i64, ptr %.19.i, i64 %.338.i208.i.i
  store i64 %.334.i.i.i, ptr %.340.i209.i.i, align 8, !noalias !41
  %21 = mul i64 %.227.09.i.i.i, 24
  %.296.i.i.i.1 = add i64 %.227.09.i.i.i, 2
  %.292.i.i.i.1 = add nsw i64 %.230.010.i.i.i, -2
  %22 = getelementptr i8, ptr %.23.i191.i.i, i64 %21
  %23 = getelementptr i8, ptr %22, i64 24
  %.324.i.i.i.1 = getelementptr i8, ptr %22, i64 32
  %.325.i.i.i.1 = load i64, ptr %.324.i.i.i.1, align 8, !noalias !41
  %.327.i.i.i.1 = getelementptr i64, ptr %.14.i187.i.i, i64 %.325.i.i.i.1
  %.328.i.i.i.1 = load i64, ptr %.327.i.i.i.1, align 8, !noalias !41
  %.332.i206.i.i.1 = getelementptr i8, ptr %22, i64 40
  %.333.i207.i.i.1 = load i64, ptr %.332.i206.i.i.1, align 8, !noalias !41
  %.334.i.i.i.1 = add nsw i64 %.333.i207.i.i.1, %.328.i.i.i.1
  %.338.i208.i.i.1 = load i64, ptr %23, align 8, !noalias !41
  %.340.i209.i.i.1 = getelementptr i64, ptr %.19.i, i64 %.338.i208.i.i.1
  store i64 %.334.i.i.i.1, ptr %.340.i209.i.i.1, align 8, !noalias !41
  %.283.i.i.i.1 = icmp sgt i64 %.230.010.i.i.i, 2
  br i1 %.283.i.i.i.1, label %B416.i.i.i, label %fill_in.exit.i.i

fill_in.exit.i.i: ; preds = %B416.i.i.i.prol.loopexit, %B416.i.i.i, %B338.i.i.i
  %.13.i211.i.i = getelementptr i8, ptr %.19.i, i64 152
  %.14.i212.i.i = load i64, ptr %.13.i211.i.i, align 8, !noalias !47
  %.15.not.i213.i.i = icmp eq i64 %.14.i212.i.i, 0
  br i1 %.15.not.i213.i.i, label %B72.i215.i.i, label %put_block.exit.thread.i.i

B72.i215.i.i:                                     ; preds = %fill_in.exit.i.i
  %.24.i.i.i = getelementptr i8, ptr %.19.i, i64 168
  %.25.i216.i.i = load i64, ptr %.24.i.i.i, align 8, !noalias !47
  %.1076.i.i.i = icmp sgt i64 %.25.i216.i.i, 0
  br i1 %.1076.i.i.i, label %B126.lr.ph.i.i.i, label %B628.i.i.i

B126.lr.ph.i.i.i:                                 ; preds = %B72.i215.i.i
  %.52.29.i.i.i = add nsw i64 %.25.i216.i.i, -1
  %.149.i217.i.i = getelementptr i8, ptr %.19.i, i64 136
  %.162.i.i.i = getelementptr i8, ptr %.19.i, i64 144
  %.316.i.i.i = getelementptr i8, ptr %.19.i, i64 192
  %.319.i.i.i = getelementptr i8, ptr %.19.i, i64 160
  br label %B126.i218.i.i

B126.i218.i.i:                                    ; preds = %B626.i.i.i, %B126.lr.ph.i.i.i
  %.52.212.i.i.i = phi i64 [ %.52.29.i.i.i, %B126.lr.ph.i.i.i ], [ %.52.2.i.i.i, %B626.i.i.i ]
  %.49.111.i.i.i = phi i64 [ 1, %B126.lr.ph.i.i.i ], [ %.49.1.i.i.i, %B626.i.i.i ]
  %.49.010.i.i.i = phi i64 [ 0, %B126.lr.ph.i.i.i ], [ %.49.111.i.i.i, %B626.i.i.i ]
  %.150.i219.i.i = load i64, ptr %.149.i217.i.i, align 8, !noalias !47
  %24 = shl i64 %.49.010.i.i.i, 8
  %25 = shl i64 %.150.i219.i.i, 3
  %.154.i220.i.i = add i64 %24, %.14.i
  %.156.i.i.i = add i64 %.154.i220.i.i, %25
  %.157.i221.i.i = inttoptr i64 %.156.i.i.i to ptr
  %.163.i.i.i = load i64, ptr %.162.i.i.i, align 8, !noalias !47
  %26 = shl i64 %.163.i.i.i, 3
  %.169.i222.i.i = add i64 %26, %.154.i220.i.i
  %.170.i.i.i = inttoptr i64 %.169.i222.i.i to ptr
  %.296.i223.i.i = load i64, ptr %.157.i221.i.i, align 8, !noalias !47
  %.299.i.i.i = load i64, ptr %.170.i.i.i, align 8, !noalias !47
  %.295.1.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 8
  %.296.1.i.i.i = load i64, ptr %.295.1.i.i.i, align 8, !noalias !47
  %.298.1.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 8
  %.299.1.i.i.i = load i64, ptr %.298.1.i.i.i, align 8, !noalias !47
  %.295.2.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 16
  %.296.2.i.i.i = load i64, ptr %.295.2.i.i.i, align 8, !noalias !47
  %.298.2.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 16
  %.299.2.i.i.i = load i64, ptr %.298.2.i.i.i, align 8, !noalias !47
  %.295.3.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 24
  %.296.3.i.i.i = load i64, ptr %.295.3.i.i.i, align 8, !noalias !47
  %.298.3.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 24
  %.299.3.i.i.i = load i64, ptr %.298.3.i.i.i, align 8, !noalias !47
  %.295.4.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 32
  %.296.4.i.i.i = load i64, ptr %.295.4.i.i.i, align 8, !noalias !47
  %.298.4.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 32
  %.299.4.i.i.i = load i64, ptr %.298.4.i.i.i, align 8, !noalias !47
  %.295.5.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 40
  %.296.5.i.i.i = load i64, ptr %.295.5.i.i.i, align 8, !noalias !47
  %.298.5.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 40
  %.299.5.i.i.i = load i64, ptr %.298.5.i.i.i, align 8, !noalias !47
  %.295.6.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 48
  %.296.6.i.i.i = load i64, ptr %.295.6.i.i.i, align 8, !noalias !47
  %.298.6.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 48
  %.299.6.i.i.i = load i64, ptr %.298.6.i.i.i, align 8, !noalias !47
  %.295.7.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 56
  %.296.7.i.i.i = load i64, ptr %.295.7.i.i.i, align 8, !noalias !47
  %.298.7.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 56
  %.299.7.i.i.i = load i64, ptr %.298.7.i.i.i, align 8, !noalias !47
  %.295.8.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 64
  %.296.8.i.i.i = load i64, ptr %.295.8.i.i.i, align 8, !noalias !47
  %.298.8.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 64
  %.299.8.i.i.i = load i64, ptr %.298.8.i.i.i, align 8, !noalias !47
  %.295.9.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 72
  %.296.9.i.i.i = load i64, ptr %.295.9.i.i.i, align 8, !noalias !47
  %.298.9.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 72
  %.299.9.i.i.i = load i64, ptr %.298.9.i.i.i, align 8, !noalias !47
  %.295.10.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 80
  %.296.10.i.i.i = load i64, ptr %.295.10.i.i.i, align 8, !noalias !47
  %.298.10.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 80
  %.299.10.i.i.i = load i64, ptr %.298.10.i.i.i, align 8, !noalias !47
  %.295.11.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 88
  %.296.11.i.i.i = load i64, ptr %.295.11.i.i.i, align 8, !noalias !47
  %.298.11.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 88
  %.299.11.i.i.i = load i64, ptr %.298.11.i.i.i, align 8, !noalias !47
  %.295.12.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 96
  %.296.12.i.i.i = load i64, ptr %.295.12.i.i.i, align 8, !noalias !47
  %.298.12.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 96
  %.299.12.i.i.i = load i64, ptr %.298.12.i.i.i, align 8, !noalias !47
  %.295.13.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 104
  %.296.13.i.i.i = load i64, ptr %.295.13.i.i.i, align 8, !noalias !47
  %.298.13.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 104
  %.299.13.i.i.i = load i64, ptr %.298.13.i.i.i, align 8, !noalias !47
  %.295.14.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 112
  %.296.14.i.i.i = load i64, ptr %.295.14.i.i.i, align 8, !noalias !47
  %.298.14.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 112
  %.299.14.i.i.i = load i64, ptr %.298.14.i.i.i, align 8, !noalias !47
  %.295.15.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 120
  %.296.15.i.i.i = load i64, ptr %.295.15.i.i.i, align 8, !noalias !47
  %.298.15.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 120
  %.299.15.i.i.i = load i64, ptr %.298.15.i.i.i, align 8, !noalias !47
  %.295.16.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 128
  %.296.16.i.i.i = load i64, ptr %.295.16.i.i.i, align 8, !noalias !47
  %.298.16.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 128
  %.299.16.i.i.i = load i64, ptr %.298.16.i.i.i, align 8, !noalias !47
  %.295.17.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 136
  %.296.17.i.i.i = load i64, ptr %.295.17.i.i.i, align 8, !noalias !47
  %.298.17.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 136
  %.299.17.i.i.i = load i64, ptr %.298.17.i.i.i, align 8, !noalias !47
  %.295.18.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 144
  %.296.18.i.i.i = load i64, ptr %.295.18.i.i.i, align 8, !noalias !47
  %.298.18.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 144
  %.299.18.i.i.i = load i64, ptr %.298.18.i.i.i, align 8, !noalias !47
  %.295.19.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 152
  %.296.19.i.i.i = load i64, ptr %.295.19.i.i.i, align 8, !noalias !47
  %.298.19.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 152
  %.299.19.i.i.i = load i64, ptr %.298.19.i.i.i, align 8, !noalias !47
  %.295.20.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 160
  %.296.20.i.i.i = load i64, ptr %.295.20.i.i.i, align 8, !noalias !47
  %.298.20.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 160
  %.299.20.i.i.i = load i64, ptr %.298.20.i.i.i, align 8, !noalias !47
  %.295.21.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 168
  %.296.21.i.i.i = load i64, ptr %.295.21.i.i.i, align 8, !noalias !47
  %.298.21.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 168
  %.299.21.i.i.i = load i64, ptr %.298.21.i.i.i, align 8, !noalias !47
  %.295.22.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 176
  %.296.22.i.i.i = load i64, ptr %.295.22.i.i.i, align 8, !noalias !47
  %.298.22.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 176
  %.299.22.i.i.i = load i64, ptr %.298.22.i.i.i, align 8, !noalias !47
  %.295.23.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 184
  %.296.23.i.i.i = load i64, ptr %.295.23.i.i.i, align 8, !noalias !47
  %.298.23.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 184
  %.299.23.i.i.i = load i64, ptr %.298.23.i.i.i, align 8, !noalias !47
  %.295.24.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 192
  %.296.24.i.i.i = load i64, ptr %.295.24.i.i.i, align 8, !noalias !47
  %.298.24.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 192
  %.299.24.i.i.i = load i64, ptr %.298.24.i.i.i, align 8, !noalias !47
  %.295.25.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 200
  %.296.25.i.i.i = load i64, ptr %.295.25.i.i.i, align 8, !noalias !47
  %.298.25.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 200
  %.299.25.i.i.i = load i64, ptr %.298.25.i.i.i, align 8, !noalias !47
  %.295.26.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 208
  %.296.26.i.i.i = load i64, ptr %.295.26.i.i.i, align 8, !noalias !47
  %.298.26.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 208
  %.299.26.i.i.i = load i64, ptr %.298.26.i.i.i, align 8, !noalias !47
  %.295.27.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 216
  %.296.27.i.i.i = load i64, ptr %.295.27.i.i.i, align 8, !noalias !47
  %.298.27.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 216
  %.299.27.i.i.i = load i64, ptr %.298.27.i.i.i, align 8, !noalias !47
  %.295.28.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 224
  %.296.28.i.i.i = load i64, ptr %.295.28.i.i.i, align 8, !noalias !47
  %.298.28.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 224
  %.299.28.i.i.i = load i64, ptr %.298.28.i.i.i, align 8, !noalias !47
  %.295.29.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 232
  %.296.29.i.i.i = load i64, ptr %.295.29.i.i.i, align 8, !noalias !47
  %.298.29.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 232
  %.299.29.i.i.i = load i64, ptr %.298.29.i.i.i, align 8, !noalias !47
  %.295.30.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 240
  %.296.30.i.i.i = load i64, ptr %.295.30.i.i.i, align 8, !noalias !47
  %.298.30.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 240
  %.299.30.i.i.i = load i64, ptr %.298.30.i.i.i, align 8, !noalias !47
  %.295.31.i.i.i = getelementptr i8, ptr %.157.i221.i.i, i64 248
  %.296.31.i.i.i = load i64, ptr %.295.31.i.i.i, align 8, !noalias !47
  %.298.31.i.i.i = getelementptr i8, ptr %.170.i.i.i, i64 248
  %.299.31.i.i.i = load i64, ptr %.298.31.i.i.i, align 8, !noalias !47
  %27 = icmp eq i64 %.299.1.i.i.i, %.296.1.i.i.i
  %28 = icmp eq i64 %.299.i.i.i, %.296.i223.i.i
  %29 = and i1 %28, %27
  %30 = icmp eq i64 %.299.2.i.i.i, %.296.2.i.i.i
  %31 = and i1 %29, %30
  %32 = icmp eq i64 %.299.3.i.i.i, %.296.3.i.i.i
  %33 = and i1 %31, %32
  %34 = icmp eq i64 %.299.4.i.i.i, %.296.4.i.i.i
  %35 = and i1 %33, %34
  %36 = icmp eq i64 %.299.5.i.i.i, %.296.5.i.i.i
  %37 = and i1 %35, %36
  %38 = icmp eq i64 %.299.6.i.i.i, %.296.6.i.i.i
  %39 = and i1 %37, %38
  %40 = icmp eq i64 %.299.7.i.i.i, %.296.7.i.i.i
  %41 = and i1 %39, %40
  %42 = icmp eq i64 %.299.8.i.i.i, %.296.8.i.i.i
  %43 = and i1 %41, %42
  %44 = icmp eq i64 %.299.9.i.i.i, %.296.9.i.i.i
  %45 = and i1 %43, %44
  %46 = icmp eq i64 %.299.10.i.i.i, %.296.10.i.i.i
  %47 = and i1 %45, %46
  %48 = icmp eq i64 %.299.11.i.i.i, %.296.11.i.i.i
  %49 = and i1 %47, %48
  %50 = icmp eq i64 %.299.12.i.i.i, %.296.12.i.i.i
  %51 = and i1 %49, %50
  %52 = icmp eq i64 %.299.13.i.i.i, %.296.13.i.i.i
  %53 = and i1 %51, %52
  %54 = icmp eq i64 %.299.14.i.i.i, %.296.14.i.i.i
  %55 = and i1 %53, %54
  %56 = icmp eq i64 %.299.15.i.i.i, %.296.15.i.i.i
  %57 = and i1 %55, %56
  %58 = icmp eq i64 %.299.16.i.i.i, %.296.16.i.i.i
  %59 = and i1 %57, %58
  %60 = icmp eq i64 %.299.17.i.i.i, %.296.17.i.i.i
  %61 = and i1 %59, %60
  %62 = icmp eq i64 %.299.18.i.i.i, %.296.18.i.i.i
  %63 = and i1 %61, %62
  %64 = icmp eq i64 %.299.19.i.i.i, %.296.19.i.i.i
  %65 = and i1 %63, %64
  %66 = icmp eq i64 %.299.20.i.i.i, %.296.20.i.i.i
  %67 = and i1 %65, %66
  %68 = icmp eq i64 %.299.21.i.i.i, %.296.21.i.i.i
  %69 = and i1 %67, %68
  %70 = icmp eq i64 %.299.22.i.i.i, %.296.22.i.i.i
  %71 = and i1 %69, %70
  %72 = icmp eq i64 %.299.23.i.i.i, %.296.23.i.i.i
  %73 = and i1 %71, %72
  %74 = icmp eq i64 %.299.24.i.i.i, %.296.24.i.i.i
  %75 = and i1 %73, %74
  %76 = icmp eq i64 %.299.25.i.i.i, %.296.25.i.i.i
  %77 = and i1 %75, %76
  %78 = icmp eq i64 %.299.26.i.i.i, %.296.26.i.i.i
  %79 = and i1 %77, %78
  %80 = icmp eq i64 %.299.27.i.i.i, %.296.27.i.i.i
  %81 = and i1 %79, %80
  %82 = icmp eq i64 %.299.28.i.i.i, %.296.28.i.i.i
  %83 = and i1 %81, %82
  %84 = icmp eq i64 %.299.29.i.i.i, %.296.29.i.i.i
  %85 = and i1 %83, %84
  %86 = icmp eq i64 %.299.30.i.i.i, %.296.30.i.i.i
  %87 = and i1 %85, %86
  %88 = icmp eq i64 %.299.31.i.i.i, %.296.31.i.i.i
  %.311.not.i.i.i = and i1 %87, %88
  br i1 %.311.not.i.i.i, label %B626.i.i.i, label %B402.i.i.i

B402.i.i.i:                                       ; preds = %B126.i218.i.i
  %.317.i.i.i = load i64, ptr %.316.i.i.i, align 8, !noalias !47
  %.320.i.i.i = load i64, ptr %.319.i.i.i, align 8, !noalias !47
  %89 = shl i64 %.49.010.i.i.i, 6
  %90 = shl i64 %.320.i.i.i, 3
  %.326.i.i.i = add i64 %89, %.14.i
  %.328.i224.i.i = add i64 %.326.i.i.i, %90
  %.329.i.i.i = inttoptr i64 %.328.i224.i.i to ptr
  %.330.i.i.i = getelementptr i8, ptr %.329.i.i.i, i64 8
  %.331.i.i.i = load i64, ptr %.330.i.i.i, align 8, !noalias !47
  %.332.i225.i.i = trunc i64 %.331.i.i.i to i32
  %.333.i226.i.i = getelementptr i8, ptr %.329.i.i.i, i64 16
  %.334.i227.i.i = load i64, ptr %.333.i226.i.i, align 8, !noalias !47
  %.335.i228.i.i = trunc i64 %.334.i227.i.i to i32
  %.336.i.i.i = getelementptr i8, ptr %.329.i.i.i, i64 24
  %.337.i.i.i = load i64, ptr %.336.i.i.i, align 8, !noalias !47
  %.338.i229.i.i = trunc i64 %.337.i.i.i to i32
  %.339.i.i.i = getelementptr i8, ptr %.329.i.i.i, i64 32
  %.340.i230.i.i = load i64, ptr %.339.i.i.i, align 8, !noalias !47
  %.341.i.i.i = trunc i64 %.340.i230.i.i to i32
  %.342.i.i.i = getelementptr i8, ptr %.329.i.i.i, i64 40
  %.343.i.i.i = load i64, ptr %.342.i.i.i, align 8, !noalias !47
  %.344.i.i.i = trunc i64 %.343.i.i.i to i32
  %.345.i.i.i = getelementptr i8, ptr %.329.i.i.i, i64 48
  %.346.i.i.i = load i64, ptr %.345.i.i.i, align 8, !noalias !47
  %.347.i231.i.i = trunc i64 %.346.i.i.i to i32
  %.349.i.i.i = load i64, ptr %.329.i.i.i, align 8, !noalias !47
  %.350.i.i.i = inttoptr i64 %.349.i.i.i to ptr
  %.351.i.i.i = getelementptr i8, ptr %.329.i.i.i, i64 56
  %.352.i.i.i = load i64, ptr %.351.i.i.i, align 8, !noalias !47
  %.353.i.i.i = inttoptr i64 %.352.i.i.i to ptr
  %.354.i.i.i = inttoptr i64 %.317.i.i.i to ptr
  %.355.i.i.i = call i32 %.354.i.i.i(ptr %.350.i.i.i, i32 %.332.i225.i.i, i32 %.335.i228.i.i, i32 %.338.i229.i.i, i32 %.341.i.i.i, i32 %.344.i.i.i, i32 %.347.i231.i.i, i32 0, ptr null, ptr %.353.i.i.i, ptr null), !noalias !47
  %.361.not.i.i.i = icmp eq i32 %.355.i.i.i, 0
  br i1 %.361.not.i.i.i, label %B600.preheader.i.i.i, label %put_block.exit.i.i

B600.preheader.i.i.i:                             ; preds = %B402.i.i.i
  %.499.i.i.i = load i64, ptr %.157.i221.i.i, align 8, !noalias !47
  store i64 %.499.i.i.i, ptr %.170.i.i.i, align 8, !noalias !47
  %.499.1.i.i.i = load i64, ptr %.295.1.i.i.i, align 8, !noalias !47
  store i64 %.499.1.i.i.i, ptr %.298.1.i.i.i, align 8, !noalias !47
  %.499.2.i.i.i = load i64, ptr %.295.2.i.i.i, align 8, !noalias !47
  store i64 %.499.2.i.i.i, ptr %.298.2.i.i.i, align 8, !noalias !47
  %.499.3.i.i.i = load i64, ptr %.295.3.i.i.i, align 8, !noalias !47
  store i64 %.499.3.i.i.i, ptr %.298.3.i.i.i, align 8, !noalias !47
  %.499.4.i.i.i = load i64, ptr %.295.4.i.i.i, align 8, !noalias !47
  store i64 %.499.4.i.i.i, ptr %.298.4.i.i.i, align 8, !noalias !47
  %.499.5.i.i.i = load i64, ptr %.295.5.i.i.i, align 8, !noalias !47
  store i64 %.499.5.i.i.i, ptr %.298.5.i.i.i, align 8, !noalias !47
  %.499.6.i.i.i = load i64, ptr %.295.6.i.i.i, align 8, !noalias !47
  store i64 %.499.6.i.i.i, ptr %.298.6.i.i.i, align 8, !noalias !47
  %.499.7.i.i.i = load i64, ptr %.295.7.i.i.i, align 8, !noalias !47
  store i64 %.499.7.i.i.i, ptr %.298.7.i.i.i, align 8, !noalias !47
  %.499.8.i.i.i = load i64, ptr %.295.8.i.i.i, align 8, !noalias !47
  store i64 %.499.8.i.i.i, ptr %.298.8.i.i.i, align 8, !noalias !47
  %.499.9.i.i.i = load i64, ptr %.295.9.i.i.i, align 8, !noalias !47
  store i64 %.499.9.i.i.i, ptr %.298.9.i.i.i, align 8, !noalias !47
  %.499.10.i.i.i = load i64, ptr %.295.10.i.i.i, align 8, !noalias !47
  store i64 %.499.10.i.i.i, ptr %.298.10.i.i.i, align 8, !noalias !47
  %.499.11.i.i.i = load i64, ptr %.295.11.i.i.i, align 8, !noalias !47
  store i64 %.499.11.i.i.i, ptr %.298.11.i.i.i, align 8, !noalias !47
  %.499.12.i.i.i = load i64, ptr %.295.12.i.i.i, align 8, !noalias !47
  store i64 %.499.12.i.i.i, ptr %.298.12.i.i.i, align 8, !noalias !47
  %.499.13.i.i.i = load i64, ptr %.295.13.i.i.i, align 8, !noalias !47
  store i64 %.499.13.i.i.i, ptr %.298.13.i.i.i, align 8, !noalias !47
  %.499.14.i.i.i = load i64, ptr %.295.14.i.i.i, align 8, !noalias !47
  store i64 %.499.14.i.i.i, ptr %.298.14.i.i.i, align 8, !noalias !47
  %.499.15.i.i.i = load i64, ptr %.295.15.i.i.i, align 8, !noalias !47
  store i64 %.499.15.i.i.i, ptr %.298.15.i.i.i, align 8, !noalias !47
  %.499.16.i.i.i = load i64, ptr %.295.16.i.i.i, align 8, !noalias !47
  store i64 %.499.16.i.i.i, ptr %.298.16.i.i.i, align 8, !noalias !47
  %.499.17.i.i.i = load i64, ptr %.295.17.i.i.i, align 8, !noalias !47
  store i64 %.499.17.i.i.i, ptr %.298.17.i.i.i, align 8, !noalias !47
  %.499.18.i.i.i = load i64, ptr %.295.18.i.i.i, align 8, !noalias !47
  store i64 %.499.18.i.i.i, ptr %.298.18.i.i.i, align 8, !noalias !47
  %.499.19.i.i.i = load i64, ptr %.295.19.i.i.i, align 8, !noalias !47
  store i64 %.499.19.i.i.i, ptr %.298.19.i.i.i, align 8, !noalias !47
  %.499.20.i.i.i = load i64, ptr %.295.20.i.i.i, align 8, !noalias !47
  store i64 %.499.20.i.i.i, ptr %.298.20.i.i.i, align 8, !noalias !47
  %.499.21.i.i.i = load i64, ptr %.295.21.i.i.i, align 8, !noalias !47
  store i64 %.499.21.i.i.i, ptr %.298.21.i.i.i, align 8, !noalias !47
  %.499.22.i.i.i = load i64, ptr %.295.22.i.i.i, align 8, !noalias !47
  store i64 %.499.22.i.i.i, ptr %.298.22.i.i.i, align 8, !noalias !47
  %.499.23.i.i.i = load i64, ptr %.295.23.i.i.i, align 8, !noalias !47
  store i64 %.499.23.i.i.i, ptr %.298.23.i.i.i, align 8, !noalias !47
  %.499.24.i.i.i = load i64, ptr %.295.24.i.i.i, align 8, !noalias !47
  store i64 %.499.24.i.i.i, ptr %.298.24.i.i.i, align 8, !noalias !47
  %.499.25.i.i.i = load i64, ptr %.295.25.i.i.i, align 8, !noalias !47
  store i64 %.499.25.i.i.i, ptr %.298.25.i.i.i, align 8, !noalias !47
  %.499.26.i.i.i = load i64, ptr %.295.26.i.i.i, align 8, !noalias !47
  store i64 %.499.26.i.i.i, ptr %.298.26.i.i.i, align 8, !noalias !47
  %.499.27.i.i.i = load i64, ptr %.295.27.i.i.i, align 8, !noalias !47
  store i64 %.499.27.i.i.i, ptr %.298.27.i.i.i, align 8, !noalias !47
  %.499.28.i.i.i = load i64, ptr %.295.28.i.i.i, align 8, !noalias !47
  store i64 %.499.28.i.i.i, ptr %.298.28.i.i.i, align 8, !noalias !47
  %.499.29.i.i.i = load i64, ptr %.295.29.i.i.i, align 8, !noalias !47
  store i64 %.499.29.i.i.i, ptr %.298.29.i.i.i, align 8, !noalias !47
  %.499.30.i.i.i = load i64, ptr %.295.30.i.i.i, align 8, !noalias !47
  store i64 %.499.30.i.i.i, ptr %.298.30.i.i.i, align 8, !noalias !47
  %.499.31.i.i.i = load i64, ptr %.295.31.i.i.i, align 8, !noalias !47
  store i64 %.499.31.i.i.i, ptr %.298.31.i.i.i, align 8, !noalias !47
  br label %B626.i.i.i

B626.i.i.i:                                       ; preds = %B600.preheader.i.i.i, %B126.i218.i.i
  %.107.i.i.i = icmp sgt i64 %.52.212.i.i.i, 0
  %.120.i.i.i = zext i1 %.107.i.i.i to i64
  %.49.1.i.i.i = add i64 %.49.111.i.i.i, %.120.i.i.i
  %.116.i233.i.i = sext i1 %.107.i.i.i to i64
  %.52.2.i.i.i = add nsw i64 %.52.212.i.i.i, %.116.i233.i.i
  br i1 %.107.i.i.i, label %B126.i218.i.i, label %B628.i.i.i

B628.i.i.i:                                       ; preds = %B626.i.i.i, %B72.i215.i.i
  store i64 1, ptr %.13.i211.i.i, align 8, !noalias !47
  br label %put_block.exit.thread.i.i

put_block.exit.thread.i.i: ; preds = %B628.i.i.i, %fill_in.exit.i.i
  store i64 0, ptr %.24.i, align 8, !noalias !3
  %.12.i.i = getelementptr i8, ptr %.19.i, i64 184
  %.13.i.i = load i64, ptr %.12.i.i, align 8, !noalias !50
  %.952.not.i.i = icmp slt i64 %.13.i.i, 1
  br i1 %.952.not.i.i, label %launch_all.exit.i, label %B58.lr.ph.i.i

B58.lr.ph.i.i:                                    ; preds = %put_block.exit.thread.i.i
  %.488.i.i = getelementptr i8, ptr %.19.i, i64 176
  %.489.i.i = load i64, ptr %.488.i.i, align 8, !noalias !3
  %.490.i.i = shl nsw i64 %.489.i.i, 3
  %.492.i.i = add nsw i64 %.490.i.i, %.14.i
  %.137.i.i = getelementptr i8, ptr %.19.i, i64 192
  br label %B58.i.i

B56.i.i:                                          ; preds = %B58.i.i
  %.196.i.i = add nsw i64 %position.2.05.i.i, 64
  %.108.i.i = add nuw i64 %.1087.i.i, 1
  %exitcond.not.i9.i = icmp eq i64 %.1087.i.i, %.13.i.i
  br i1 %exitcond.not.i9.i, label %launch_all.exit.i, label %B58.i.i

B58.i.i:                                          ; preds = %B56.i.i, %B58.lr.ph.i.i
  %.1087.i.i = phi i64 [ 1, %B58.lr.ph.i.i ], [ %.108.i.i, %B56.i.i ]
  %position.2.05.i.i = phi i64 [ %.492.i.i, %B58.lr.ph.i.i ], [ %.196.i.i, %B56.i.i ]
  %.37.04.i.i = phi i64 [ 0, %B58.lr.ph.i.i ], [ %.1087.i.i, %B56.i.i ]
  %.138.i.i = load i64, ptr %.137.i.i, align 8, !noalias !50
  %.140.i.i = inttoptr i64 %position.2.05.i.i to ptr
  %.141.i.i = getelementptr i8, ptr %.140.i.i, i64 8
  %.142.i.i = load i64, ptr %.141.i.i, align 8, !noalias !50
  %.143.i.i = trunc i64 %.142.i.i to i32
  %.144.i.i = getelementptr i8, ptr %.140.i.i, i64 16
  %.145.i.i = load i64, ptr %.144.i.i, align 8, !noalias !50
  %.146.i.i = trunc i64 %.145.i.i to i32
  %.147.i.i = getelementptr i8, ptr %.140.i.i, i64 24
  %.148.i.i = load i64, ptr %.147.i.i, align 8, !noalias !50
  %.149.i.i = trunc i64 %.148.i.i to i32
  %.150.i.i = getelementptr i8, ptr %.140.i.i, i64 32
  %.151.i.i = load i64, ptr %.150.i.i, align 8, !noalias !50
  %.152.i.i = trunc i64 %.151.i.i to i32
  %.153.i.i = getelementptr i8, ptr %.140.i.i, i64 40
  %.154.i.i = load i64, ptr %.153.i.i, align 8, !noalias !50
  %.155.i.i = trunc i64 %.154.i.i to i32
  %.156.i.i = getelementptr i8, ptr %.140.i.i, i64 48
  %.157.i.i = load i64, ptr %.156.i.i, align 8, !noalias !50
  %.158.i.i = trunc i64 %.157.i.i to i32
  %.160.i.i = load i64, ptr %.140.i.i, align 8, !noalias !50
  %.161.i.i = inttoptr i64 %.160.i.i to ptr
  %.162.i.i = getelementptr i8, ptr %.140.i.i, i64 56
  %.163.i.i = load i64, ptr %.162.i.i, align 8, !noalias !50
  %.164.i.i = inttoptr i64 %.163.i.i to ptr
  %.165.i.i = inttoptr i64 %.138.i.i to ptr
  %.166.i.i = call i32 %.165.i.i(ptr %.161.i.i, i32 %.143.i.i, i32 %.146.i.i, i32 %.149.i.i, i32 %.152.i.i, i32 %.155.i.i, i32 %.158.i.i, i32 0, ptr null, ptr %.164.i.i, ptr null), !noalias !50
  %.172.not.i.i = icmp eq i32 %.166.i.i, 0
  br i1 %.172.not.i.i, label %B56.i.i, label %B152.i.i

B152.i.i:                                         ; preds = %B58.i.i
  %91 = shl i64 %.37.04.i.i, 32
  %.167.i.i = sext i32 %.166.i.i to i64
  %.185.i.i = or i64 %91, %.167.i.i
  br label %launch_all.exit.i

launch_all.exit.i: ; preds = %B56.i.i, %B152.i.i, %put_block.exit.thread.i.i
  %storemerge.i.i = phi i64 [ %.185.i.i, %B152.i.i ], [ 0, %put_block.exit.thread.i.i ], [ 0, %B56.i.i ]
  store i64 %storemerge.i.i, ptr %.24.i, align 8, !noalias !3
  br label %issued.exit.i

put_block.exit.i.i: ; preds = %B402.i.i.i
  %.356.i232.i.i = sext i32 %.355.i.i.i to i64
  store i64 %.356.i232.i.i, ptr %.24.i, align 8, !noalias !3
  br label %issued.exit.i

issued.exitthread-pre-split.i: ; preds = %B438.i.i, %B334.i.i, %entry
  %.sink.i = phi i64 [ 224, %B438.i.i ], [ 216, %entry ], [ 216, %B334.i.i ]
  %.253.i.i = getelementptr i8, ptr %.19.i, i64 %.sink.i
  %.sink.i.ph.i = load i64, ptr %.253.i.i, align 8, !noalias !3
  %.63.pr.i = load i64, ptr %.24.i, align 8, !noalias !0
  br label %issued.exit.i

issued.exit.i: ; preds = %issued.exitthread-pre-split.i, %put_block.exit.i.i, %launch_all.exit.i
  %.63.i = phi i64 [ %.63.pr.i, %issued.exitthread-pre-split.i ], [ %storemerge.i.i, %launch_all.exit.i ], [ %.356.i232.i.i, %put_block.exit.i.i ]
  %.sink.i.i = phi i64 [ %.sink.i.ph.i, %issued.exitthread-pre-split.i ], [ 0, %launch_all.exit.i ], [ 0, %put_block.exit.i.i ]
  %.64.not.i = icmp eq i64 %.63.i, 0
  br i1 %.64.not.i, label %B258.i, label %B206.i

B206.i:                                           ; preds = %issued.exit.i
  %.69.i = call i64 @PyLong_FromLongLong(i64 %.63.i), !noalias !0
  br label %issue.exit

B258.i:                                           ; preds = %issued.exit.i
  %.73.not.i = icmp eq i64 %.sink.i.i, 0
  br i1 %.73.not.i, label %B304.i, label %B270.i

B270.i:                                           ; preds = %B258.i
  %.76.i = call ptr @Py_IncRef(i64 %.sink.i.i), !noalias !0
  br label %issue.exit

B304.i:                                           ; preds = %B258.i
  %.81.i = getelementptr i8, ptr %.19.i, i64 232
  %.82.i = load i64, ptr %.81.i, align 8, !noalias !0
  %.83.i = add nsw i64 %.82.i, 1
  store i64 %.83.i, ptr %.81.i, align 8, !noalias !0
  %.90.i = load i64, ptr %.22.i.i, align 8, !noalias !0
  %.92.i = sub nsw i64 %.3, %.90.i
  call void @llvm.lifetime.start.p0(ptr nonnull %.73.i.i), !noalias !0
  call void @llvm.lifetime.start.p0(ptr nonnull %.265.i.i), !noalias !0
  %.19.i.i = getelementptr i8, ptr %.19.i, i64 336
  %.20.i.i = load i64, ptr %.19.i.i, align 8, !noalias !53
  %.25.i.i = getelementptr i8, ptr %.19.i, i64 208
  %.26.i.i = load i64, ptr %.25.i.i, align 8, !noalias !53
  switch i64 %.26.i.i, label %B306.i.i [
    i64 0, label %B104.i.i
    i64 1, label %B226.i.i
  ]

B104.i.i:                                         ; preds = %B304.i
  %.38.i.i = getelementptr i8, ptr %.19.i, i64 320
  %.39.i.i = load i64, ptr %.38.i.i, align 8, !noalias !53
  %.40.i.i = call ptr @Py_IncRef(i64 %.39.i.i), !noalias !53
  %.43.i.i = load i64, ptr %.38.i.i, align 8, !noalias !53
  br label %results.exit.i

B226.i.i:                                         ; preds = %B304.i
  %.57.i.i = getelementptr i8, ptr %.19.i, i64 328
  %.58.i.i = load i64, ptr %.57.i.i, align 8, !noalias !53
  %.59.i.i = shl nsw i64 %.58.i.i, 3
  %.61.i.i = add nsw i64 %.59.i.i, %.14.i
  %.66.i3.i = getelementptr i64, ptr %.2, i64 %.92.i
  %.67.i4.i = load i64, ptr %.66.i3.i, align 8, !noalias !53
  call fastcc void @fresh_array(ptr nonnull %.73.i.i, ptr nonnull %.19.i, i64 %.61.i.i, i64 %.67.i4.i)
  %.87.i.i = load i64, ptr %.73.i.i, align 8, !noalias !53
  br label %results.exit.i

B306.i.i:                                         ; preds = %B304.i
  %.104.i.i = call i64 @PyTuple_New(i64 %.20.i.i), !noalias !53
  %.109.i.i = icmp eq i64 %.104.i.i, 0
  br i1 %.109.i.i, label %results.exit.i, label %B352.endif.i.i

B384.i.i:                                         ; preds = %B384.lr.ph.i.i, %B512.i.i
  %.2205.i.i = phi i64 [ 1, %B384.lr.ph.i.i ], [ %.220.i.i, %B512.i.i ]
  %.151.03.i.i = phi i64 [ 0, %B384.lr.ph.i.i ], [ %.2205.i.i, %B512.i.i ]
  %.251.i.i = load i64, ptr %.250.i.i, align 8, !noalias !53
  %.253.i5.i = mul nsw i64 %.151.03.i.i, 5
  %.254.i6.i = add nsw i64 %.251.i.i, %.253.i5.i
  %.255.i.i = shl nsw i64 %.254.i6.i, 3
  %.257.i.i = add nsw i64 %.255.i.i, %.14.i
  %.262.i7.i = getelementptr i64, ptr %92, i64 %.151.03.i.i
  %.263.i.i = load i64, ptr %.262.i7.i, align 8, !noalias !53
  call fastcc void @fresh_array(ptr nonnull %.265.i.i, ptr nonnull %.19.i, i64 %.257.i.i, i64 %.263.i.i)
  %.279.i.i = load i64, ptr %.265.i.i, align 8, !noalias !53
  %.293.i.i = icmp eq i64 %.279.i.i, 0
  br i1 %.293.i.i, label %results.exit.i, label %B512.i.i

B512.i.i:                                         ; preds = %B384.i.i
  %.316.i.i = call i32 @PyTuple_SetItem(i64 %.104.i.i, i64 %.151.03.i.i, i64 %.279.i.i), !noalias !53
  %.220.i.i = add nuw i64 %.2205.i.i, 1
  %exitcond.not.i8.i = icmp eq i64 %.2205.i.i, %.20.i.i
  br i1 %exitcond.not.i8.i, label %results.exit.i, label %B384.i.i

B352.endif.i.i:                                   ; preds = %B306.i.i
  %.2071.not.i.i = icmp slt i64 %.20.i.i, 1
  br i1 %.2071.not.i.i, label %results.exit.i, label %B384.lr.ph.i.i

B384.lr.ph.i.i:                                   ; preds = %B352.endif.i.i
  %.250.i.i = getelementptr i8, ptr %.19.i, i64 328
  %92 = getelementptr i64, ptr %.2, i64 %.92.i
  br label %B384.i.i

results.exit.i: ; preds = %B512.i.i, %B384.i.i, %B352.endif.i.i, %B306.i.i, %B226.i.i, %B104.i.i
  %.87.sink.i.i = phi i64 [ %.87.i.i, %B226.i.i ], [ %.104.i.i, %B352.endif.i.i ], [ 0, %B306.i.i ], [ %.43.i.i, %B104.i.i ], [ 0, %B384.i.i ], [ %.104.i.i, %B512.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.73.i.i), !noalias !0
  call void @llvm.lifetime.end.p0(ptr nonnull %.265.i.i), !noalias !0
  br label %issue.exit

issue.exit: ; preds = %B206.i, %B270.i, %results.exit.i
  %.87.sink.i.sink.i = phi i64 [ %.87.sink.i.i, %results.exit.i ], [ %.sink.i.i, %B270.i ], [ %.69.i, %B206.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.27.i)
  ret i64 %.87.sink.i.sink.i
}

declare i64 @PyLong_AsLongLongAndOverflow(i64, i64) local_unnamed_addr

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #0

define internal fastcc void @array_fits(ptr noalias nonnull writeonly captures(none) initializes((0, 8)) %retptr, i64 %arg.address, i64 %arg.array, i64 %arg.position, i64 %arg.spare) unnamed_addr {
B0:
  %.15 = inttoptr i64 %arg.address to ptr
  %.19 = inttoptr i64 %arg.position to ptr
  %.24 = icmp eq i64 %arg.array, 0
  br i1 %.24, label %common.ret, label %B76

B76:                                              ; preds = %B0
  %.27 = add nsw i64 %arg.array, 8
  %.28 = inttoptr i64 %.27 to ptr
  %.30 = load i64, ptr %.28, align 8
  %.32 = getelementptr i8, ptr %.15, i64 240
  %.33 = load i64, ptr %.32, align 8
  %.34.not = icmp eq i64 %.30, %.33
  br i1 %.34.not, label %B178, label %common.ret

common.ret:                                       ; preds = %B1098, %B1208, %B962, %B1044, %B778, %B860, %B664, %same.exit34, %B200.i32, %B42.i18, %B30.i16, %B30.i10, %B42.i11, %B176.i, %same.exit, %B200.i, %B42.i, %B30.i, %B0, %B76
  %.sink = phi i64 [ -1, %B962 ], [ -1, %B778 ], [ -1, %B664 ], [ -1, %same.exit34 ], [ %storemerge.i, %B176.i ], [ -1, %B30.i ], [ 0, %B0 ], [ 0, %B76 ], [ 0, %same.exit ], [ -1, %B200.i ], [ -1, %B42.i ], [ -1, %B30.i10 ], [ -1, %B42.i11 ], [ -1, %B30.i16 ], [ -1, %B42.i18 ], [ -1, %B200.i32 ], [ -1, %B860 ], [ -1, %B1044 ], [ 1, %B1208 ], [ 1, %B1098 ]
  store i64 %.sink, ptr %retptr, align 8
  ret void

B178:                                             ; preds = %B76
  %.50 = getelementptr i8, ptr %.15, i64 256
  %.51 = load i64, ptr %.50, align 8
  %.53 = add nsw i64 %.51, %arg.array
  %.54 = inttoptr i64 %.53 to ptr
  %.56 = load i64, ptr %.54, align 8
  %.58 = getelementptr i8, ptr %.19, i64 8
  %.59 = load i64, ptr %.58, align 8
  %.15.i = icmp eq i64 %.56, %.59
  br i1 %.15.i, label %B326, label %B30.i

B30.i:                                            ; preds = %B178
  %.26.i = icmp eq i64 %.56, 0
  br i1 %.26.i, label %common.ret, label %B42.i

B42.i:                                            ; preds = %B30.i
  %.29.i = add nsw i64 %.56, 8
  %.30.i = inttoptr i64 %.29.i to ptr
  %.32.i = load i64, ptr %.30.i, align 8, !noalias !56
  %.34.i = getelementptr i8, ptr %.15, i64 288
  %.35.i = load i64, ptr %.34.i, align 8, !noalias !56
  %.38.not.i = icmp eq i64 %.32.i, %.35.i
  br i1 %.38.not.i, label %B144.i, label %common.ret

B144.i:                                           ; preds = %B42.i
  %.51.i = tail call i32 @PyObject_RichCompareBool(i64 %.56, i64 %.59, i32 2), !noalias !56
  %.61.i = icmp slt i32 %.51.i, 0
  br i1 %.61.i, label %B200.i, label %same.exit

B200.i:                                           ; preds = %B144.i
  %.65.i = tail call ptr @PyErr_Clear(), !noalias !56
  br label %common.ret

same.exit: ; preds = %B144.i
  %.70.i = icmp eq i32 %.51.i, 1
  br i1 %.70.i, label %B326, label %common.ret

B326:                                             ; preds = %B178, %same.exit
  %.112 = getelementptr i8, ptr %.15, i64 272
  %.113 = load i64, ptr %.112, align 8
  %.115 = add nsw i64 %.113, %arg.array
  %.116 = inttoptr i64 %.115 to ptr
  %.118 = load i64, ptr %.116, align 8
  %.120 = getelementptr i8, ptr %.19, i64 24
  %.121 = load i64, ptr %.120, align 8
  %.12.i = icmp eq i64 %.118, %.121
  br i1 %.12.i, label %B472, label %B30.i10

B30.i10:                                          ; preds = %B326
  %.21.i = icmp eq i64 %.118, 0
  br i1 %.21.i, label %common.ret, label %B42.i11

B42.i11:                                          ; preds = %B30.i10
  %.24.i = add nsw i64 %.118, 8
  %.25.i = inttoptr i64 %.24.i to ptr
  %.27.i = load i64, ptr %.25.i, align 8, !noalias !59
  %.29.i12 = add nsw i64 %.121, 8
  %.30.i13 = inttoptr i64 %.29.i12 to ptr
  %.32.i14 = load i64, ptr %.30.i13, align 8, !noalias !59
  %.33.i = icmp eq i64 %.27.i, %.32.i14
  br i1 %.33.i, label %common.ret, label %B176.i

B176.i:                                           ; preds = %B42.i11
  %.5.i.i = add nsw i64 %.118, 28
  %.6.i.i = inttoptr i64 %.5.i.i to ptr
  %.8.i.i = load i32, ptr %.6.i.i, align 4, !noalias !62
  %.5.i6.i = add nsw i64 %.121, 28
  %.6.i7.i = inttoptr i64 %.5.i6.i to ptr
  %.8.i8.i = load i32, ptr %.6.i7.i, align 4, !noalias !65
  %0 = add i32 %.8.i.i, -5
  %or.cond.i = icmp ult i32 %0, 6
  %1 = add i32 %.8.i8.i, -5
  %2 = icmp ult i32 %1, 6
  %or.cond5.i = select i1 %or.cond.i, i1 %2, i1 false
  %storemerge.i = sext i1 %or.cond5.i to i64
  br label %common.ret

B472:                                             ; preds = %B326
  %.170 = getelementptr i8, ptr %.15, i64 264
  %.171 = load i64, ptr %.170, align 8
  %.173 = add nsw i64 %.171, %arg.array
  %.174 = inttoptr i64 %.173 to ptr
  %.176 = load i64, ptr %.174, align 8
  %.179 = getelementptr i8, ptr %.19, i64 16
  %.180 = load i64, ptr %.179, align 8
  %.15.i15 = icmp eq i64 %.176, %.180
  br i1 %.15.i15, label %B630, label %B30.i16

B30.i16:                                          ; preds = %B472
  %.26.i17 = icmp eq i64 %.176, 0
  br i1 %.26.i17, label %common.ret, label %B42.i18

B42.i18:                                          ; preds = %B30.i16
  %.29.i19 = add nsw i64 %.176, 8
  %.30.i20 = inttoptr i64 %.29.i19 to ptr
  %.32.i21 = load i64, ptr %.30.i20, align 8, !noalias !68
  %.34.i22 = getelementptr i8, ptr %.15, i64 288
  %.35.i23 = load i64, ptr %.34.i22, align 8, !noalias !68
  %.38.not.i24 = icmp eq i64 %.32.i21, %.35.i23
  br i1 %.38.not.i24, label %B144.i26, label %common.ret

B144.i26:                                         ; preds = %B42.i18
  %.51.i27 = tail call i32 @PyObject_RichCompareBool(i64 %.176, i64 %.180, i32 2), !noalias !68
  %.61.i28 = icmp slt i32 %.51.i27, 0
  br i1 %.61.i28, label %B200.i32, label %same.exit34

B200.i32:                                         ; preds = %B144.i26
  %.65.i33 = tail call ptr @PyErr_Clear(), !noalias !68
  br label %common.ret

same.exit34: ; preds = %B144.i26
  %.70.i30 = icmp eq i32 %.51.i27, 1
  br i1 %.70.i30, label %B630, label %common.ret

B630:                                             ; preds = %B472, %same.exit34
  %.221 = getelementptr i8, ptr %.19, i64 40
  %.222 = load i64, ptr %.221, align 8
  %.223.not = icmp eq i64 %.222, 0
  br i1 %.223.not, label %B778, label %B664

B664:                                             ; preds = %B630
  %.226 = getelementptr i8, ptr %.15, i64 280
  %.227 = load i64, ptr %.226, align 8
  %.229 = add nsw i64 %.227, %arg.array
  %.230 = inttoptr i64 %.229 to ptr
  %.232 = load i64, ptr %.230, align 8
  %.234 = getelementptr i8, ptr %.15, i64 304
  %.235 = load i64, ptr %.234, align 8
  %.236.not = icmp eq i64 %.232, %.235
  br i1 %.236.not, label %B778, label %common.ret

B778:                                             ; preds = %B664, %B630
  %.251 = getelementptr i8, ptr %.15, i64 248
  %.252 = load i64, ptr %.251, align 8
  %.254 = add nsw i64 %.252, %arg.array
  %.257 = inttoptr i64 %.254 to ptr
  %.259 = load i64, ptr %.257, align 8
  %.264 = icmp eq i64 %.259, 0
  br i1 %.264, label %common.ret, label %B860

B860:                                             ; preds = %B778
  %.267 = add nsw i64 %.259, 8
  %.268 = inttoptr i64 %.267 to ptr
  %.270 = load i64, ptr %.268, align 8
  %.272 = getelementptr i8, ptr %.15, i64 296
  %.273 = load i64, ptr %.272, align 8
  %.274.not = icmp eq i64 %.270, %.273
  br i1 %.274.not, label %B962, label %common.ret

B962:                                             ; preds = %B860
  %.290 = tail call i64 @PyLong_AsLongLongAndOverflow(i64 %.259, i64 %arg.spare)
  %.297 = inttoptr i64 %arg.spare to ptr
  %.301 = load i32, ptr %.297, align 4
  %.303.not = icmp eq i32 %.301, 0
  br i1 %.303.not, label %B1044, label %common.ret

B1044:                                            ; preds = %B962
  %.306 = getelementptr i8, ptr %.19, i64 32
  %.307 = load i64, ptr %.306, align 8
  %.309 = and i64 %.307, %.290
  %.310.not = icmp eq i64 %.309, 0
  br i1 %.310.not, label %B1098, label %common.ret

B1098:                                            ; preds = %B1044
  %.323 = getelementptr i8, ptr %.15, i64 88
  %.324 = load i64, ptr %.323, align 8
  %.325 = shl nsw i64 %.324, 3
  %.327 = add nsw i64 %.325, %arg.address
  %.330 = inttoptr i64 %.327 to ptr
  %.336 = load i64, ptr %.19, align 8
  %.338 = getelementptr i64, ptr %.330, i64 %.336
  %.339 = load i64, ptr %.338, align 8
  %.341.not = icmp eq i64 %.339, %.290
  br i1 %.341.not, label %common.ret, label %B1208

B1208:                                            ; preds = %B1098
  store i64 %.290, ptr %.338, align 8
  %.357 = getelementptr i8, ptr %.15, i64 112
  store i64 0, ptr %.357, align 8
  br label %common.ret
}

declare i32 @PyObject_RichCompareBool(i64, i64, i32) local_unnamed_addr

declare ptr @PyErr_Clear() local_unnamed_addr

declare ptr @guardlift_scalar_read(i64, i64) local_unnamed_addr

define internal fastcc void @fresh_array(ptr noalias nonnull writeonly captures(none) initializes((0, 8)) %retptr, ptr readonly captures(none) %arg.table, i64 %arg.position, i64 %arg.number) unnamed_addr {
B0:
  %.11 = inttoptr i64 %arg.position to ptr
  %.16 = getelementptr i8, ptr %arg.table, i64 344
  %.17 = load i64, ptr %.16, align 8
  %.18 = tail call i64 @PyType_GenericAlloc(i64 %.17, i64 0)
  %.23 = icmp eq i64 %.18, 0
  br i1 %.23, label %common.ret, label %B104

common.ret:                                       ; preds = %B104, %B0, %B174
  %.38.sink = phi i64 [ %.38, %B174 ], [ 0, %B0 ], [ 0, %B104 ]
  store i64 %.38.sink, ptr %retptr, align 8
  ret void

B104:                                             ; preds = %B0
  %.36 = getelementptr i8, ptr %arg.table, i64 240
  %.37 = load i64, ptr %.36, align 8
  %.38 = tail call i64 @PyType_GenericAlloc(i64 %.37, i64 0)
  %.43 = icmp eq i64 %.38, 0
  br i1 %.43, label %common.ret, label %B174

B174:                                             ; preds = %B104
  %.59 = getelementptr i8, ptr %arg.table, i64 376
  %.60 = load i64, ptr %.59, align 8
  %.62 = getelementptr i8, ptr %arg.table, i64 352
  %.63 = load i64, ptr %.62, align 8
  %.7.i = tail call ptr @Py_IncRef(i64 %.63), !noalias !71
  %.8.i = add nsw i64 %.60, %.18
  %.9.i = inttoptr i64 %.8.i to ptr
  store i64 %.63, ptr %.9.i, align 8, !noalias !71
  %.93 = getelementptr i8, ptr %arg.table, i64 384
  %.94 = load i64, ptr %.93, align 8
  %.96 = getelementptr i8, ptr %.11, i64 32
  %.97 = load i64, ptr %.96, align 8
  %.7.i21 = tail call ptr @Py_IncRef(i64 %.97), !noalias !74
  %.8.i22 = add nsw i64 %.94, %.18
  %.9.i23 = inttoptr i64 %.8.i22 to ptr
  store i64 %.97, ptr %.9.i23, align 8, !noalias !74
  %.125 = getelementptr i8, ptr %arg.table, i64 368
  %.126 = load i64, ptr %.125, align 8
  %.129 = load i64, ptr %.11, align 8
  %.7.i24 = tail call ptr @Py_IncRef(i64 %.129), !noalias !77
  %.8.i25 = add nsw i64 %.126, %.18
  %.9.i26 = inttoptr i64 %.8.i25 to ptr
  store i64 %.129, ptr %.9.i26, align 8, !noalias !77
  %.157 = getelementptr i8, ptr %arg.table, i64 360
  %.158 = load i64, ptr %.157, align 8
  %.7.i27 = tail call ptr @Py_IncRef(i64 %arg.number), !noalias !80
  %.8.i28 = add nsw i64 %.158, %.18
  %.9.i29 = inttoptr i64 %.8.i28 to ptr
  store i64 %arg.number, ptr %.9.i29, align 8, !noalias !80
  %.186 = getelementptr i8, ptr %arg.table, i64 392
  %.187 = load i64, ptr %.186, align 8
  %.189 = add nsw i64 %.187, %.38
  %.190 = inttoptr i64 %.189 to ptr
  store i64 %.18, ptr %.190, align 8
  %.198 = getelementptr i8, ptr %arg.table, i64 400
  %.199 = load i64, ptr %.198, align 8
  %.201 = getelementptr i8, ptr %arg.table, i64 320
  %.202 = load i64, ptr %.201, align 8
  %.7.i30 = tail call ptr @Py_IncRef(i64 %.202), !noalias !83
  %.8.i31 = add nsw i64 %.199, %.38
  %.9.i32 = inttoptr i64 %.8.i31 to ptr
  store i64 %.202, ptr %.9.i32, align 8, !noalias !83
  %.230 = getelementptr i8, ptr %arg.table, i64 248
  %.231 = load i64, ptr %.230, align 8
  %.7.i33 = tail call ptr @Py_IncRef(i64 %arg.number), !noalias !86
  %.8.i34 = add nsw i64 %.231, %.38
  %.9.i35 = inttoptr i64 %.8.i34 to ptr
  store i64 %arg.number, ptr %.9.i35, align 8, !noalias !86
  %.262 = getelementptr i8, ptr %arg.table, i64 256
  %.263 = load i64, ptr %.262, align 8
  %.265 = getelementptr i8, ptr %.11, i64 8
  %.266 = load i64, ptr %.265, align 8
  %.7.i36 = tail call ptr @Py_IncRef(i64 %.266), !noalias !89
  %.8.i37 = add nsw i64 %.263, %.38
  %.9.i38 = inttoptr i64 %.8.i37 to ptr
  store i64 %.266, ptr %.9.i38, align 8, !noalias !89
  %.294 = getelementptr i8, ptr %arg.table, i64 264
  %.295 = load i64, ptr %.294, align 8
  %.297 = getelementptr i8, ptr %.11, i64 16
  %.298 = load i64, ptr %.297, align 8
  %.7.i39 = tail call ptr @Py_IncRef(i64 %.298), !noalias !92
  %.8.i40 = add nsw i64 %.295, %.38
  %.9.i41 = inttoptr i64 %.8.i40 to ptr
  store i64 %.298, ptr %.9.i41, align 8, !noalias !92
  %.326 = getelementptr i8, ptr %arg.table, i64 272
  %.327 = load i64, ptr %.326, align 8
  %.329 = getelementptr i8, ptr %.11, i64 24
  %.330 = load i64, ptr %.329, align 8
  %.7.i42 = tail call ptr @Py_IncRef(i64 %.330), !noalias !95
  %.8.i43 = add nsw i64 %.327, %.38
  %.9.i44 = inttoptr i64 %.8.i43 to ptr
  store i64 %.330, ptr %.9.i44, align 8, !noalias !95
  %.360 = getelementptr i8, ptr %arg.table, i64 280
  %.361 = load i64, ptr %.360, align 8
  %.363 = getelementptr i8, ptr %arg.table, i64 304
  %.364 = load i64, ptr %.363, align 8
  %.7.i45 = tail call ptr @Py_IncRef(i64 %.364), !noalias !98
  %.8.i46 = add nsw i64 %.361, %.38
  %.9.i47 = inttoptr i64 %.8.i46 to ptr
  store i64 %.364, ptr %.9.i47, align 8, !noalias !98
  br label %common.ret
}

declare i64 @PyTuple_New(i64) local_unnamed_addr

declare i32 @PyTuple_SetItem(i64, i64, i64) local_unnamed_addr

declare i64 @PyType_GenericAlloc(i64, i64) local_unnamed_addr

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #2

attributes #0 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"issue: %retptr"}
!2 = distinct !{!2, !"issue"}
!3 = !{!4, !1}
!4 = distinct !{!4, !5, !"issued: %retptr"}
!5 = distinct !{!5, !"issued"}
!6 = !{!7, !4, !1}
!7 = distinct !{!7, !8, !"given_fit: %retptr"}
!8 = distinct !{!8, !"given_fit"}
!9 = !{!10, !7, !4, !1}
!10 = distinct !{!10, !11, !"followed: %retptr"}
!11 = distinct !{!11, !"followed"}
!12 = !{!13, !7, !4, !1}
!13 = distinct !{!13, !14, !"set_word: %retptr"}
!14 = distinct !{!14, !"set_word"}
!15 = !{!16, !7, !4, !1}
!16 = distinct !{!16, !17, !"set_word: %retptr"}
!17 = distinct !{!17, !"set_word"}
!18 = !{!19, !7, !4, !1}
!19 = distinct !{!19, !20, !"set_word: %retptr"}
!20 = distinct !{!20, !"set_word"}
!21 = !{!22, !7, !4, !1}
!22 = distinct !{!22, !23, !"set_word: %retptr"}
!23 = distinct !{!23, !"set_word"}
!24 = !{!25, !4, !1}
!25 = distinct !{!25, !26, !"owned_fit: %retptr"}
!26 = distinct !{!26, !"owned_fit"}
!27 = !{!28, !25, !4, !1}
!28 = distinct !{!28, !29, !"followed: %retptr"}
!29 = distinct !{!29, !"followed"}
!30 = !{!31, !25, !4, !1}
!31 = distinct !{!31, !32, !"followed: %retptr"}
!32 = distinct !{!32, !"followed"}
!33 = !{!34, !4, !1}
!34 = distinct !{!34, !35, !"watched_fit: %retptr"}
!35 = distinct !{!35, !"watched_fit"}
!36 = distinct !{!36, !37}
!37 = !{!"llvm.loop.unroll.disable"}
!38 = !{!39, !4, !1}
!39 = distinct !{!39, !40, !"are_apart: %retptr"}
!40 = distinct !{!40, !"are_apart"}
!41 = !{!42, !4, !1}
!42 = distinct !{!42, !43, !"fill_in: %retptr"}
!43 = distinct !{!43, !"fill_in"}
!44 = !{!45, !42, !4, !1}
!45 = distinct !{!45, !46, !"set_word: %retptr"}
!46 = distinct !{!46, !"set_word"}
!47 = !{!48, !4, !1}
!48 = distinct !{!48, !49, !"put_block: %retptr"}
!49 = distinct !{!49, !"put_block"}
!50 = !{!51, !4, !1}
!51 = distinct !{!51, !52, !"launch_all: %retptr"}
!52 = distinct !{!52, !"launch_all"}
!53 = !{!54, !1}
!54 = distinct !{!54, !55, !"results: %retptr"}
!55 = distinct !{!55, !"results"}
!56 = !{!57}
!57 = distinct !{!57, !58, !"same: %retptr"}
!58 = distinct !{!58, !"same"}
!59 = !{!60}
!60 = distinct !{!60, !61, !"dtype_fits: %retptr"}
!61 = distinct !{!61, !"dtype_fits"}
!62 = !{!63, !60}
!63 = distinct !{!63, !64, !"dtype_number: %retptr"}
!64 = distinct !{!64, !"dtype_number"}
!65 = !{!66, !60}
!66 = distinct !{!66, !67, !"dtype_number: %retptr"}
!67 = distinct !{!67, !"dtype_number"}
!68 = !{!69}
!69 = distinct !{!69, !70, !"same: %retptr"}
!70 = distinct !{!70, !"same"}
!71 = !{!72}
!72 = distinct !{!72, !73, !"put: %retptr"}
!73 = distinct !{!73, !"put"}
!74 = !{!75}
!75 = distinct !{!75, !76, !"put: %retptr"}
!76 = distinct !{!76, !"put"}
!77 = !{!78}
!78 = distinct !{!78, !79, !"put: %retptr"}
!79 = distinct !{!79, !"put"}
!80 = !{!81}
!81 = distinct !{!81, !82, !"put: %retptr"}
!82 = distinct !{!82, !"put"}
!83 = !{!84}
!84 = distinct !{!84, !85, !"put: %retptr"}
!85 = distinct !{!85, !"put"}
!86 = !{!87}
!87 = distinct !{!87, !88, !"put: %retptr"}
!88 = distinct !{!88, !"put"}
!89 = !{!90}
!90 = distinct !{!90, !91, !"put: %retptr"}
!91 = distinct !{!91, !"put"}
!92 = !{!93}
!93 = distinct !{!93, !94, !"put: %retptr"}
!94 = distinct !{!94, !"put"}
!95 = !{!96}
!96 = distinct !{!96, !97, !"put: %retptr"}
!97 = distinct !{!97, !"put"}
!98 = !{!99}
!99 = distinct !{!99, !100, !"put: %retptr"}
!100 = distinct !{!100, !"put"}
