; digest 6916be51c1a2b9d61c7b916d12008a93
; The program guardlift_issue of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py 593aaea976605c17dc2850b2025a2ad9
; source backend/cpu/compiler/numba_functions.py cb9b1c36af3007b22ef3a2021110394a
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/plan/issue_table.py af3fd50c6c7c84f66d7776f88fcf134d
; source backend/cpu/plan/table_layout.py b1d5a4207644d2272747b2908b5c9ccf
; source backend/cpu/runner/checks.py ec2503d1e3e3f9f4e54d967e0f62ca33
; source backend/cpu/runner/device_calls.py 2de5c456dbcb4e44f43338a401b9be60
; source backend/cpu/runner/device_launches.py 5d3f4aa39814ade29e7112e70c030d03
; source backend/llvm/native_functions.py 8470d6db57a161a1db5405622a6894a3
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
  %.244.i.i.i = alloca i64, align 8
  %.27.i = alloca [64 x i8], align 64
  call void @llvm.lifetime.start.p0(ptr nonnull %.27.i)
  %.11.i = add nsw i64 %.1, 16
  %.12.i = inttoptr i64 %.11.i to ptr
  %.14.i = load i64, ptr %.12.i, align 8, !noalias !0
  %.19.i = inttoptr i64 %.14.i to ptr
  %.24.i = getelementptr i8, ptr %.19.i, i64 200
  store i64 0, ptr %.24.i, align 8, !noalias !0
  %.28.i = ptrtoint ptr %.27.i to i64
  %.23.i.i = load i64, ptr %.19.i, align 8, !noalias !3
  %.25.i.i = getelementptr i8, ptr %.19.i, i64 8
  %.26.i.i = load i64, ptr %.25.i.i, align 8, !noalias !3
  %0 = xor i64 %.26.i.i, -1
  %.28.i.i = add i64 %.23.i.i, %0
  %.30.i.i = icmp eq i64 %.3, %.28.i.i
  %.38.not.i.i = icmp eq i64 %.3, %.23.i.i
  %brmerge.i.i = select i1 %.38.not.i.i, i1 true, i1 %.30.i.i
  br i1 %brmerge.i.i, label %B166.i.i, label %issued.exitthread-pre-split.i

B166.i.i:                                         ; preds = %entry
  call void @llvm.lifetime.start.p0(ptr nonnull %.244.i.i.i), !noalias !3
  %.1173.i.i.i = icmp sgt i64 %.28.i.i, 0
  br i1 %.1173.i.i.i, label %B162.lr.ph.i.i.i, label %B222.i.i

B162.lr.ph.i.i.i:                                 ; preds = %B166.i.i
  %.61.26.i.i.i = add nsw i64 %.28.i.i, -1
  %.19.i.i.i = getelementptr i8, ptr %.19.i, i64 24
  %.20.i.i.i = load i64, ptr %.19.i.i.i, align 8, !noalias !6
  %.21.i.i.i = shl nsw i64 %.20.i.i.i, 3
  %.23.i.i.i = add nsw i64 %.21.i.i.i, %.14.i
  %.449.i.i.i = getelementptr i8, ptr %.19.i, i64 304
  %.30.i112.i.i.i = getelementptr i8, ptr %.19.i, i64 152
  %.511.i.i.i = getelementptr inbounds nuw i8, ptr %.27.i, i64 8
  %.514.i.i.i = or disjoint i64 %.28.i, 8
  br label %B162.i.i.i

B162.i.i.i:                                       ; preds = %B1226.i.i.i, %B162.lr.ph.i.i.i
  %.61.211.i.i.i = phi i64 [ %.61.26.i.i.i, %B162.lr.ph.i.i.i ], [ %.61.2.i.i.i, %B1226.i.i.i ]
  %.58.110.i.i.i = phi i64 [ 1, %B162.lr.ph.i.i.i ], [ %.58.1.i.i.i, %B1226.i.i.i ]
  %position.2.08.i.i.i = phi i64 [ %.23.i.i.i, %B162.lr.ph.i.i.i ], [ %.560.i.i.i, %B1226.i.i.i ]
  %.58.07.i.i.i = phi i64 [ 0, %B162.lr.ph.i.i.i ], [ %.58.110.i.i.i, %B1226.i.i.i ]
  %.156.i.i.i = inttoptr i64 %position.2.08.i.i.i to ptr
  %.161.i.i.i = getelementptr i64, ptr %.2, i64 %.58.07.i.i.i
  %.162.i.i.i = load i64, ptr %.161.i.i.i, align 8, !noalias !6
  %.167.i.i.i = add nsw i64 %.162.i.i.i, 8
  %.168.i.i.i = inttoptr i64 %.167.i.i.i to ptr
  %.170.i.i.i = load i64, ptr %.168.i.i.i, align 8, !noalias !6
  %.172.i.i.i = getelementptr i8, ptr %.156.i.i.i, i64 16
  %.173.i.i.i = load i64, ptr %.172.i.i.i, align 8, !noalias !6
  %.174.not.i.i.i = icmp eq i64 %.170.i.i.i, %.173.i.i.i
  br i1 %.174.not.i.i.i, label %B316.i.i.i, label %given_fit.exit.thread.i.i

B316.i.i.i:                                       ; preds = %B162.i.i.i
  %.196.i.i.i = load i64, ptr %.156.i.i.i, align 8, !noalias !6
  switch i64 %.196.i.i.i, label %B1058.i.i.i [
    i64 0, label %B364.i.i.i
    i64 5, label %B570.i.i.i
    i64 1, label %B648.i.i.i
    i64 2, label %B782.i.i.i
    i64 3, label %B962.i.i.i
  ]

B364.i.i.i:                                       ; preds = %B316.i.i.i
  %.207.i.i.i = add nsw i64 %position.2.08.i.i.i, 24
  %.14.i.i.i.i = inttoptr i64 %.207.i.i.i to ptr
  %.15.i.i.i.i = getelementptr i8, ptr %.14.i.i.i.i, i64 24
  %.16.i.i.i.i = load i64, ptr %.15.i.i.i.i, align 8, !noalias !9
  %.9913.i.i.i.i = icmp sgt i64 %.16.i.i.i.i, 0
  br i1 %.9913.i.i.i.i, label %B112.preheader.i.i.i.i, label %followed.exit.i.i.i

B112.preheader.i.i.i.i:                           ; preds = %B364.i.i.i
  %.43.215.i.i.i.i = add nsw i64 %.16.i.i.i.i, -1
  %.10.i.i.i.i = add nsw i64 %position.2.08.i.i.i, 56
  br label %B112.i.i.i.i

B112.i.i.i.i:                                     ; preds = %B780.i.i.i.i, %B112.preheader.i.i.i.i
  %.43.218.i.i.i.i = phi i64 [ %.43.2.i.i.i.i, %B780.i.i.i.i ], [ %.43.215.i.i.i.i, %B112.preheader.i.i.i.i ]
  %thing.2.017.i.i.i.i = phi i64 [ %thing.3.0.i.i.i.i, %B780.i.i.i.i ], [ %.162.i.i.i, %B112.preheader.i.i.i.i ]
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
  %1 = shl i64 %.172.i.i.i.i, 4
  %2 = add i64 %1, %.164.i.i.i.i
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
  %position.4.0.lcssa.i.i.i.i = phi i64 [ %.164.i.i.i.i, %B238.i.i.i.i ], [ %2, %B646.i.i.i.i ]
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

followed.exit.i.i.i: ; preds = %B780.i.i.i.i, %B692.i.i.i.i, %B112.i.i.i.i, %B558.i.i.i.i, %B470.i.i.i.i, %B382.i.i.i.i, %B364.i.i.i
  %thing.2.0.lcssa.sink.i.i.i.i = phi i64 [ %.162.i.i.i, %B364.i.i.i ], [ 0, %B558.i.i.i.i ], [ 0, %B382.i.i.i.i ], [ 0, %B470.i.i.i.i ], [ 0, %B692.i.i.i.i ], [ %thing.3.0.i.i.i.i, %B780.i.i.i.i ], [ 0, %B112.i.i.i.i ]
  %.239.i.i.i = load i64, ptr %.14.i.i.i.i, align 8, !noalias !6
  %.240.i.i.i = shl nsw i64 %.239.i.i.i, 3
  %.241.i.i.i = add nsw i64 %.240.i.i.i, %.207.i.i.i
  call fastcc void @array_fits(ptr nonnull %.244.i.i.i, i64 %.14.i, i64 %thing.2.0.lcssa.sink.i.i.i.i, i64 %.241.i.i.i, i64 %.28.i)
  %.258.i.i.i = load i64, ptr %.244.i.i.i, align 8, !noalias !6
  %.272.not.i.i.i = icmp eq i64 %.258.i.i.i, 1
  br i1 %.272.not.i.i.i, label %B1226.i.i.i, label %given_fit.exit.thread.i.i

B570.i.i.i:                                       ; preds = %B316.i.i.i
  %.302.i.i.i = getelementptr i8, ptr %.156.i.i.i, i64 24
  %.303.i.i.i = load i64, ptr %.302.i.i.i, align 8, !noalias !6
  %.305.not.i.i.i = icmp eq i64 %.162.i.i.i, %.303.i.i.i
  br i1 %.305.not.i.i.i, label %B1226.i.i.i, label %given_fit.exit.thread.i.i

B648.i.i.i:                                       ; preds = %B316.i.i.i
  %.333.i.i.i = getelementptr i8, ptr %.156.i.i.i, i64 24
  %.334.i.i.i = load i64, ptr %.333.i.i.i, align 8, !noalias !6
  %.336.i.i.i = add nsw i64 %.162.i.i.i, 16
  %.339.i.i.i = inttoptr i64 %.336.i.i.i to ptr
  %.341.i.i.i = load i64, ptr %.339.i.i.i, align 8, !noalias !6
  %.15.i100.i.i.i = getelementptr i64, ptr %.19.i, i64 %.334.i.i.i
  %.16.i101.i.i.i = load i64, ptr %.15.i100.i.i.i, align 8, !noalias !12
  %.18.not.i.i.i.i = icmp eq i64 %.16.i101.i.i.i, %.341.i.i.i
  br i1 %.18.not.i.i.i.i, label %B1226.i.i.i, label %B28.i.i.i.i

B28.i.i.i.i:                                      ; preds = %B648.i.i.i
  store i64 %.341.i.i.i, ptr %.15.i100.i.i.i, align 8, !noalias !12
  br label %B1226.sink.split.i.i.i

B782.i.i.i:                                       ; preds = %B316.i.i.i
  %.375.i.i.i = call i64 @PyLong_AsLongLongAndOverflow(i64 %.162.i.i.i, i64 %.28.i), !noalias !6
  %.384.i.i.i = load i32, ptr %.27.i, align 64, !noalias !6
  %.386.not.i.i.i = icmp eq i32 %.384.i.i.i, 0
  br i1 %.386.not.i.i.i, label %B882.i.i.i, label %given_fit.exit.thread.i.i

B882.i.i.i:                                       ; preds = %B782.i.i.i
  %.408.i.i.i = getelementptr i8, ptr %.156.i.i.i, i64 24
  %.409.i.i.i = load i64, ptr %.408.i.i.i, align 8, !noalias !6
  %.15.i102.i.i.i = getelementptr i64, ptr %.19.i, i64 %.409.i.i.i
  %.16.i103.i.i.i = load i64, ptr %.15.i102.i.i.i, align 8, !noalias !15
  %.18.not.i104.i.i.i = icmp eq i64 %.16.i103.i.i.i, %.375.i.i.i
  br i1 %.18.not.i104.i.i.i, label %B1226.i.i.i, label %B28.i105.i.i.i

B28.i105.i.i.i:                                   ; preds = %B882.i.i.i
  store i64 %.375.i.i.i, ptr %.15.i102.i.i.i, align 8, !noalias !15
  br label %B1226.sink.split.i.i.i

B962.i.i.i:                                       ; preds = %B316.i.i.i
  %.446.i.i.i = getelementptr i8, ptr %.156.i.i.i, i64 24
  %.447.i.i.i = load i64, ptr %.446.i.i.i, align 8, !noalias !6
  %.450.i.i.i = load i64, ptr %.449.i.i.i, align 8, !noalias !6
  %.452.i.i.i = icmp eq i64 %.162.i.i.i, %.450.i.i.i
  %spec.select.i.i.i = zext i1 %.452.i.i.i to i64
  %.15.i108.i.i.i = getelementptr i64, ptr %.19.i, i64 %.447.i.i.i
  %.16.i109.i.i.i = load i64, ptr %.15.i108.i.i.i, align 8, !noalias !18
  %.18.not.i110.i.i.i = icmp eq i64 %.16.i109.i.i.i, %spec.select.i.i.i
  br i1 %.18.not.i110.i.i.i, label %B1226.i.i.i, label %B28.i111.i.i.i

B28.i111.i.i.i:                                   ; preds = %B962.i.i.i
  store i64 %spec.select.i.i.i, ptr %.15.i108.i.i.i, align 8, !noalias !18
  br label %B1226.sink.split.i.i.i

B1058.i.i.i:                                      ; preds = %B316.i.i.i
  store i64 0, ptr %.511.i.i.i, align 8, !noalias !6
  %.516.i.i.i = call ptr @guardlift_scalar_read(i64 %.162.i.i.i, i64 %.514.i.i.i), !noalias !6
  %.521.i.i.i = getelementptr i8, ptr %.156.i.i.i, i64 24
  %.522.i.i.i = load i64, ptr %.521.i.i.i, align 8, !noalias !6
  %.526.i.i.i = load i64, ptr %.511.i.i.i, align 8, !noalias !6
  %.15.i114.i.i.i = getelementptr i64, ptr %.19.i, i64 %.522.i.i.i
  %.16.i115.i.i.i = load i64, ptr %.15.i114.i.i.i, align 8, !noalias !21
  %.18.not.i116.i.i.i = icmp eq i64 %.16.i115.i.i.i, %.526.i.i.i
  br i1 %.18.not.i116.i.i.i, label %B1226.i.i.i, label %B28.i117.i.i.i

B28.i117.i.i.i:                                   ; preds = %B1058.i.i.i
  store i64 %.526.i.i.i, ptr %.15.i114.i.i.i, align 8, !noalias !21
  br label %B1226.sink.split.i.i.i

B1226.sink.split.i.i.i:                           ; preds = %B28.i117.i.i.i, %B28.i111.i.i.i, %B28.i105.i.i.i, %B28.i.i.i.i
  store i64 0, ptr %.30.i112.i.i.i, align 8, !noalias !6
  br label %B1226.i.i.i

B1226.i.i.i:                                      ; preds = %B1226.sink.split.i.i.i, %B1058.i.i.i, %B962.i.i.i, %B882.i.i.i, %B648.i.i.i, %B570.i.i.i, %followed.exit.i.i.i
  %.554.i.i.i = getelementptr i8, ptr %.156.i.i.i, i64 8
  %.555.i.i.i = load i64, ptr %.554.i.i.i, align 8, !noalias !6
  %.558.i.i.i = shl nsw i64 %.555.i.i.i, 3
  %.560.i.i.i = add nsw i64 %.558.i.i.i, %position.2.08.i.i.i
  %.117.i.i.i = icmp sgt i64 %.61.211.i.i.i, 0
  %.130.i.i.i = zext i1 %.117.i.i.i to i64
  %.58.1.i.i.i = add i64 %.58.110.i.i.i, %.130.i.i.i
  %.126.i.i.i = sext i1 %.117.i.i.i to i64
  %.61.2.i.i.i = add nsw i64 %.61.211.i.i.i, %.126.i.i.i
  br i1 %.117.i.i.i, label %B162.i.i.i, label %B222.i.i

given_fit.exit.thread.i.i: ; preds = %B782.i.i.i, %B570.i.i.i, %followed.exit.i.i.i, %B162.i.i.i
  %.sink.i.ph.i.i = phi i64 [ 0, %B162.i.i.i ], [ %.258.i.i.i, %followed.exit.i.i.i ], [ 0, %B570.i.i.i ], [ 0, %B782.i.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.244.i.i.i), !noalias !3
  br label %B306.i.i

B222.i.i:                                         ; preds = %B1226.i.i.i, %B166.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.244.i.i.i), !noalias !3
  call void @llvm.lifetime.start.p0(ptr nonnull %.194.i.i.i), !noalias !3
  %.16.i.i.i = getelementptr i8, ptr %.19.i, i64 32
  %.17.i.i.i = load i64, ptr %.16.i.i.i, align 8, !noalias !24
  %.18.i.i.i = shl nsw i64 %.17.i.i.i, 3
  %.20.i85.i.i = add nsw i64 %.18.i.i.i, %.14.i
  %.25.i.i.i = getelementptr i8, ptr %.19.i, i64 40
  %.26.i.i.i = load i64, ptr %.25.i.i.i, align 8, !noalias !24
  %.1089.i.i.i = icmp sgt i64 %.26.i.i.i, 0
  br i1 %.1089.i.i.i, label %B126.preheader.i.i.i, label %B398.i.i.i

B126.preheader.i.i.i:                             ; preds = %B222.i.i
  %.53.211.i.i.i = add nsw i64 %.26.i.i.i, -1
  br label %B126.i.i.i

B124.i.i.i:                                       ; preds = %followed.exit.i90.i.i
  %.243.i.i.i = add nsw i64 %.184.i.i.i, 48
  %.108.i.i.i = icmp sgt i64 %.53.213.i.i.i, 0
  %.117.i92.i.i = sext i1 %.108.i.i.i to i64
  %.53.2.i.i.i = add nsw i64 %.53.213.i.i.i, %.117.i92.i.i
  br i1 %.108.i.i.i, label %B126.i.i.i, label %B398.i.i.i

B126.i.i.i:                                       ; preds = %B124.i.i.i, %B126.preheader.i.i.i
  %.53.213.i.i.i = phi i64 [ %.53.2.i.i.i, %B124.i.i.i ], [ %.53.211.i.i.i, %B126.preheader.i.i.i ]
  %position.4.012.i.i.i = phi i64 [ %.243.i.i.i, %B124.i.i.i ], [ %.20.i85.i.i, %B126.preheader.i.i.i ]
  %.147.i.i.i = inttoptr i64 %position.4.012.i.i.i to ptr
  %.149.i.i.i = getelementptr i8, ptr %.147.i.i.i, i64 8
  %.150.i.i.i = load i64, ptr %.149.i.i.i, align 8, !noalias !24
  %.151.i.i.i = add nsw i64 %.150.i.i.i, 16
  %.152.i.i.i = inttoptr i64 %.151.i.i.i to ptr
  %.154.i.i.i = load i64, ptr %.152.i.i.i, align 8, !noalias !24
  %.15.i.i87.i.i = getelementptr i8, ptr %.147.i.i.i, i64 24
  %.16.i.i88.i.i = load i64, ptr %.15.i.i87.i.i, align 8, !noalias !27
  %.9913.i.i89.i.i = icmp sgt i64 %.16.i.i88.i.i, 0
  br i1 %.9913.i.i89.i.i, label %B112.preheader.i.i93.i.i, label %followed.exit.i90.i.i

B112.preheader.i.i93.i.i:                         ; preds = %B126.i.i.i
  %.43.215.i.i94.i.i = add nsw i64 %.16.i.i88.i.i, -1
  %.10.i.i95.i.i = add nsw i64 %position.4.012.i.i.i, 32
  br label %B112.i.i96.i.i

B112.i.i96.i.i:                                   ; preds = %B780.i.i146.i.i, %B112.preheader.i.i93.i.i
  %.43.218.i.i97.i.i = phi i64 [ %.43.2.i.i150.i.i, %B780.i.i146.i.i ], [ %.43.215.i.i94.i.i, %B112.preheader.i.i93.i.i ]
  %thing.2.017.i.i98.i.i = phi i64 [ %thing.3.0.i.i147.i.i, %B780.i.i146.i.i ], [ %.154.i.i.i, %B112.preheader.i.i93.i.i ]
  %position.3.016.i.i99.i.i = phi i64 [ %position.4.0.lcssa.i.i137.i.i, %B780.i.i146.i.i ], [ %.10.i.i95.i.i, %B112.preheader.i.i93.i.i ]
  %.138.i.i100.i.i = inttoptr i64 %position.3.016.i.i99.i.i to ptr
  %.143.i.i101.i.i = add nsw i64 %thing.2.017.i.i98.i.i, 8
  %.144.i.i102.i.i = inttoptr i64 %.143.i.i101.i.i to ptr
  %.146.i.i103.i.i = load i64, ptr %.144.i.i102.i.i, align 8, !noalias !27
  %.149.i.i104.i.i = load i64, ptr %.138.i.i100.i.i, align 8, !noalias !27
  %.150.not.i.i105.i.i = icmp eq i64 %.146.i.i103.i.i, %.149.i.i104.i.i
  br i1 %.150.not.i.i105.i.i, label %B238.i.i106.i.i, label %followed.exit.i90.i.i

B238.i.i106.i.i:                                  ; preds = %B112.i.i96.i.i
  %.164.i.i107.i.i = add i64 %position.3.016.i.i99.i.i, 24
  %.171.i.i108.i.i = getelementptr i8, ptr %.138.i.i100.i.i, i64 16
  %.172.i.i109.i.i = load i64, ptr %.171.i.i108.i.i, align 8, !noalias !27
  %.2529.not.i.i110.i.i = icmp slt i64 %.172.i.i109.i.i, 1
  br i1 %.2529.not.i.i110.i.i, label %B658.i.i136.i.i, label %B318.preheader.i.i111.i.i

B318.preheader.i.i111.i.i:                        ; preds = %B238.i.i106.i.i
  %3 = shl i64 %.172.i.i109.i.i, 4
  %4 = add i64 %3, %.164.i.i107.i.i
  br label %B318.i.i112.i.i

B318.i.i112.i.i:                                  ; preds = %B646.i.i133.i.i, %B318.preheader.i.i111.i.i
  %.26112.in.i.i113.i.i = phi i64 [ %.26112.i.i115.i.i, %B646.i.i133.i.i ], [ %.172.i.i109.i.i, %B318.preheader.i.i111.i.i ]
  %position.4.011.i.i114.i.i = phi i64 [ %.375.i.i134.i.i, %B646.i.i133.i.i ], [ %.164.i.i107.i.i, %B318.preheader.i.i111.i.i ]
  %.26112.i.i115.i.i = add nsw i64 %.26112.in.i.i113.i.i, -1
  %.291.i.i116.i.i = inttoptr i64 %position.4.011.i.i114.i.i to ptr
  %.297.i.i117.i.i = load i64, ptr %.291.i.i116.i.i, align 8, !noalias !27
  %.298.i.i118.i.i = and i64 %.297.i.i117.i.i, 1
  %.299.not.i.i119.i.i = icmp eq i64 %.298.i.i118.i.i, 0
  br i1 %.299.not.i.i119.i.i, label %B558.i.i151.i.i, label %B382.i.i120.i.i

B382.i.i120.i.i:                                  ; preds = %B318.i.i112.i.i
  %.304.i.i121.i.i = and i64 %.297.i.i117.i.i, -2
  %.306.i.i122.i.i = add nsw i64 %.304.i.i121.i.i, %thing.2.017.i.i98.i.i
  %.307.i.i123.i.i = inttoptr i64 %.306.i.i122.i.i to ptr
  %.309.i.i124.i.i = load i64, ptr %.307.i.i123.i.i, align 8, !noalias !27
  %.314.i.i125.i.i = icmp eq i64 %.309.i.i124.i.i, 0
  br i1 %.314.i.i125.i.i, label %followed.exit.i90.i.i, label %B470.i.i126.i.i

B470.i.i126.i.i:                                  ; preds = %B382.i.i120.i.i
  %.317.i.i127.i.i = add nsw i64 %.309.i.i124.i.i, 8
  %.320.i.i128.i.i = inttoptr i64 %.317.i.i127.i.i to ptr
  %.322.i.i129.i.i = load i64, ptr %.320.i.i128.i.i, align 8, !noalias !27
  %.324.i.i130.i.i = getelementptr i8, ptr %.291.i.i116.i.i, i64 8
  %.325.i.i131.i.i = load i64, ptr %.324.i.i130.i.i, align 8, !noalias !27
  %.328.i.i132.i.i = icmp eq i64 %.322.i.i129.i.i, %.325.i.i131.i.i
  br i1 %.328.i.i132.i.i, label %followed.exit.i90.i.i, label %B646.i.i133.i.i

B558.i.i151.i.i:                                  ; preds = %B318.i.i112.i.i
  %.351.i.i152.i.i = add nsw i64 %.297.i.i117.i.i, %thing.2.017.i.i98.i.i
  %.352.i.i153.i.i = inttoptr i64 %.351.i.i152.i.i to ptr
  %.354.i.i154.i.i = load i64, ptr %.352.i.i153.i.i, align 8, !noalias !27
  %.356.i.i155.i.i = getelementptr i8, ptr %.291.i.i116.i.i, i64 8
  %.357.i.i156.i.i = load i64, ptr %.356.i.i155.i.i, align 8, !noalias !27
  %.360.not.i.i157.i.i = icmp eq i64 %.354.i.i154.i.i, %.357.i.i156.i.i
  br i1 %.360.not.i.i157.i.i, label %B646.i.i133.i.i, label %followed.exit.i90.i.i

B646.i.i133.i.i:                                  ; preds = %B558.i.i151.i.i, %B470.i.i126.i.i
  %.375.i.i134.i.i = add nsw i64 %position.4.011.i.i114.i.i, 16
  %.252.i.i135.i.i = icmp samesign ugt i64 %.26112.in.i.i113.i.i, 1
  br i1 %.252.i.i135.i.i, label %B318.i.i112.i.i, label %B658.i.i136.i.i

B658.i.i136.i.i:                                  ; preds = %B646.i.i133.i.i, %B238.i.i106.i.i
  %position.4.0.lcssa.i.i137.i.i = phi i64 [ %.164.i.i107.i.i, %B238.i.i106.i.i ], [ %4, %B646.i.i133.i.i ]
  %.388.i.i138.i.i = getelementptr i8, ptr %.138.i.i100.i.i, i64 8
  %.389.i.i139.i.i = load i64, ptr %.388.i.i138.i.i, align 8, !noalias !27
  %.390.not.i.i140.i.i = icmp eq i64 %.389.i.i139.i.i, 0
  br i1 %.390.not.i.i140.i.i, label %B780.i.i146.i.i, label %B692.i.i141.i.i

B692.i.i141.i.i:                                  ; preds = %B658.i.i136.i.i
  %.398.i.i142.i.i = add nsw i64 %.389.i.i139.i.i, %thing.2.017.i.i98.i.i
  %.401.i.i143.i.i = inttoptr i64 %.398.i.i142.i.i to ptr
  %.403.i.i144.i.i = load i64, ptr %.401.i.i143.i.i, align 8, !noalias !27
  %.406.i.i145.i.i = icmp eq i64 %.403.i.i144.i.i, 0
  br i1 %.406.i.i145.i.i, label %followed.exit.i90.i.i, label %B780.i.i146.i.i

B780.i.i146.i.i:                                  ; preds = %B692.i.i141.i.i, %B658.i.i136.i.i
  %thing.3.0.i.i147.i.i = phi i64 [ %thing.2.017.i.i98.i.i, %B658.i.i136.i.i ], [ %.403.i.i144.i.i, %B692.i.i141.i.i ]
  %.99.i.i148.i.i = icmp sgt i64 %.43.218.i.i97.i.i, 0
  %.108.i.i149.i.i = sext i1 %.99.i.i148.i.i to i64
  %.43.2.i.i150.i.i = add nsw i64 %.43.218.i.i97.i.i, %.108.i.i149.i.i
  br i1 %.99.i.i148.i.i, label %B112.i.i96.i.i, label %followed.exit.i90.i.i

followed.exit.i90.i.i: ; preds = %B780.i.i146.i.i, %B692.i.i141.i.i, %B112.i.i96.i.i, %B558.i.i151.i.i, %B470.i.i126.i.i, %B382.i.i120.i.i, %B126.i.i.i
  %thing.2.0.lcssa.sink.i.i91.i.i = phi i64 [ %.154.i.i.i, %B126.i.i.i ], [ 0, %B558.i.i151.i.i ], [ 0, %B382.i.i120.i.i ], [ 0, %B470.i.i126.i.i ], [ 0, %B692.i.i141.i.i ], [ %thing.3.0.i.i147.i.i, %B780.i.i146.i.i ], [ 0, %B112.i.i96.i.i ]
  %.181.i.i.i = load i64, ptr %.147.i.i.i, align 8, !noalias !24
  %.182.i.i.i = shl nsw i64 %.181.i.i.i, 3
  %.184.i.i.i = add nsw i64 %.182.i.i.i, %position.4.012.i.i.i
  call fastcc void @array_fits(ptr nonnull %.194.i.i.i, i64 %.14.i, i64 %thing.2.0.lcssa.sink.i.i91.i.i, i64 %.184.i.i.i, i64 %.28.i)
  %.208.i.i.i = load i64, ptr %.194.i.i.i, align 8, !noalias !24
  %.222.not.i.i.i = icmp eq i64 %.208.i.i.i, 1
  br i1 %.222.not.i.i.i, label %B124.i.i.i, label %owned_fit.exit.thread.i.i

B398.i.i.i:                                       ; preds = %B124.i.i.i, %B222.i.i
  %position.4.0.lcssa.i.i.i = phi i64 [ %.20.i85.i.i, %B222.i.i ], [ %.243.i.i.i, %B124.i.i.i ]
  %.264.i.i.i = getelementptr i8, ptr %.19.i, i64 48
  %.265.i.i.i = load i64, ptr %.264.i.i.i, align 8, !noalias !24
  %.34714.i.i.i = icmp sgt i64 %.265.i.i.i, 0
  br i1 %.34714.i.i.i, label %B452.preheader.i.i.i, label %B276.i.i

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
  %5 = shl i64 %.172.i166.i.i.i, 4
  %6 = add i64 %5, %.164.i164.i.i.i
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
  %position.4.0.lcssa.i194.i.i.i = phi i64 [ %.164.i164.i.i.i, %B238.i163.i.i.i ], [ %6, %B646.i190.i.i.i ]
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
  br i1 %.347.i.i.i, label %B452.i.i.i, label %B276.i.i

owned_fit.exit.thread.i.i: ; preds = %followed.exit.i90.i.i, %followed.exit215.i.i.i, %B692.i198.i.i.i, %B112.i153.i.i.i, %B558.i208.i.i.i, %B470.i183.i.i.i, %B382.i177.i.i.i
  %.sink.i86.ph.i.i = phi i64 [ 0, %B692.i198.i.i.i ], [ 0, %followed.exit215.i.i.i ], [ 0, %B558.i208.i.i.i ], [ 0, %B382.i177.i.i.i ], [ 0, %B470.i183.i.i.i ], [ 0, %B112.i153.i.i.i ], [ %.208.i.i.i, %followed.exit.i90.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.194.i.i.i), !noalias !3
  br label %B306.i.i

B276.i.i:                                         ; preds = %B618.i.i.i, %B398.i.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.194.i.i.i), !noalias !3
  %.13.i.i.i = getelementptr i8, ptr %.19.i, i64 64
  %.14.i158.i.i = load i64, ptr %.13.i.i.i, align 8, !noalias !33
  %.19.i159.i.i = icmp eq i64 %.14.i158.i.i, 0
  br i1 %.19.i159.i.i, label %B376.i.i, label %B86.i.i.i

B86.i.i.i:                                        ; preds = %B276.i.i
  %.30.i.i.i = getelementptr i8, ptr %.19.i, i64 72
  %.31.i160.i.i = load i64, ptr %.30.i.i.i, align 8, !noalias !33
  %.32.i161.i.i = inttoptr i64 %.31.i160.i.i to ptr
  %.34.i162.i.i = load i64, ptr %.32.i161.i.i, align 8, !noalias !33
  %.36.i.i.i = getelementptr i8, ptr %.19.i, i64 80
  %.37.i.i.i = load i64, ptr %.36.i.i.i, align 8, !noalias !33
  %.38.not.i.i.i = icmp eq i64 %.34.i162.i.i, %.37.i.i.i
  br i1 %.38.not.i.i.i, label %B194.i.i.i, label %B410.i.i

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
  %spec.select1.i.i.i = call i64 @llvm.smax.i64(i64 %.14.i158.i.i, i64 0)
  %.1592.not.i.i.i = icmp eq i64 %spec.select1.i.i.i, 0
  br i1 %.1592.not.i.i.i, label %B376.i.i, label %B358.i.i.i.preheader

B358.i.i.i.preheader:                             ; preds = %B194.i.i.i
  %xtraiter = and i64 %.14.i158.i.i, 3
  %7 = icmp ult i64 %.14.i158.i.i, 4
  br i1 %7, label %B358.i.i.i.epil.preheader, label %B358.i.i.i.preheader.new

B358.i.i.i.preheader.new:                         ; preds = %B358.i.i.i.preheader
  %unroll_iter = and i64 %.14.i158.i.i, -4
  br label %B358.i.i.i

B358.i.i.i:                                       ; preds = %B358.i.i.i, %B358.i.i.i.preheader.new
  %missing.2.05.i.i.i = phi i64 [ 0, %B358.i.i.i.preheader.new ], [ %.220.i.i.i.3, %B358.i.i.i ]
  %.101.03.i.i.i = phi i64 [ 0, %B358.i.i.i.preheader.new ], [ %.172.i163.i.i.3, %B358.i.i.i ]
  %niter = phi i64 [ 0, %B358.i.i.i.preheader.new ], [ %niter.next.3, %B358.i.i.i ]
  %.198.i.i.i = getelementptr i64, ptr %.65.i.i.i, i64 %.101.03.i.i.i
  %.199.i.i.i = load i64, ptr %.198.i.i.i, align 8, !noalias !33
  %.201.i.i.i = getelementptr i64, ptr %.54.i.i.i, i64 %.199.i.i.i
  %.202.i.i.i = load i64, ptr %.201.i.i.i, align 8, !noalias !33
  %.203.i.i.i = icmp eq i64 %.202.i.i.i, 0
  %spec.select.i164.i.i = zext i1 %.203.i.i.i to i64
  %.220.i.i.i = add nuw nsw i64 %missing.2.05.i.i.i, %spec.select.i164.i.i
  %8 = getelementptr i64, ptr %.65.i.i.i, i64 %.101.03.i.i.i
  %.198.i.i.i.1 = getelementptr i8, ptr %8, i64 8
  %.199.i.i.i.1 = load i64, ptr %.198.i.i.i.1, align 8, !noalias !33
  %.201.i.i.i.1 = getelementptr i64, ptr %.54.i.i.i, i64 %.199.i.i.i.1
  %.202.i.i.i.1 = load i64, ptr %.201.i.i.i.1, align 8, !noalias !33
  %.203.i.i.i.1 = icmp eq i64 %.202.i.i.i.1, 0
  %spec.select.i164.i.i.1 = zext i1 %.203.i.i.i.1 to i64
  %.220.i.i.i.1 = add nuw nsw i64 %.220.i.i.i, %spec.select.i164.i.i.1
  %9 = getelementptr i64, ptr %.65.i.i.i, i64 %.101.03.i.i.i
  %.198.i.i.i.2 = getelementptr i8, ptr %9, i64 16
  %.199.i.i.i.2 = load i64, ptr %.198.i.i.i.2, align 8, !noalias !33
  %.201.i.i.i.2 = getelementptr i64, ptr %.54.i.i.i, i64 %.199.i.i.i.2
  %.202.i.i.i.2 = load i64, ptr %.201.i.i.i.2, align 8, !noalias !33
  %.203.i.i.i.2 = icmp eq i64 %.202.i.i.i.2, 0
  %spec.select.i164.i.i.2 = zext i1 %.203.i.i.i.2 to i64
  %.220.i.i.i.2 = add nuw nsw i64 %.220.i.i.i.1, %spec.select.i164.i.i.2
  %.172.i163.i.i.3 = add nuw nsw i64 %.101.03.i.i.i, 4
  %10 = getelementptr i64, ptr %.65.i.i.i, i64 %.101.03.i.i.i
  %.198.i.i.i.3 = getelementptr i8, ptr %10, i64 24
  %.199.i.i.i.3 = load i64, ptr %.198.i.i.i.3, align 8, !noalias !33
  %.201.i.i.i.3 = getelementptr i64, ptr %.54.i.i.i, i64 %.199.i.i.i.3
  %.202.i.i.i.3 = load i64, ptr %.201.i.i.i.3, align 8, !noalias !33
  %.203.i.i.i.3 = icmp eq i64 %.202.i.i.i.3, 0
  %spec.select.i164.i.i.3 = zext i1 %.203.i.i.i.3 to i64
  %.220.i.i.i.3 = add nuw nsw i64 %.220.i.i.i.2, %spec.select.i164.i.i.3
  %niter.next.3 = add i64 %niter, 4
  %niter.ncmp.3 = icmp eq i64 %niter.next.3, %unroll_iter
  br i1 %niter.ncmp.3, label %B412.loopexit.i.i.i.unr-lcssa, label %B358.i.i.i

B412.loopexit.i.i.i.unr-lcssa:                    ; preds = %B358.i.i.i
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B412.loopexit.i.i.i, label %B358.i.i.i.epil.preheader

B358.i.i.i.epil.preheader:                        ; preds = %B412.loopexit.i.i.i.unr-lcssa, %B358.i.i.i.preheader
  %missing.2.05.i.i.i.epil.init = phi i64 [ 0, %B358.i.i.i.preheader ], [ %.220.i.i.i.3, %B412.loopexit.i.i.i.unr-lcssa ]
  %.101.03.i.i.i.epil.init = phi i64 [ 0, %B358.i.i.i.preheader ], [ %.172.i163.i.i.3, %B412.loopexit.i.i.i.unr-lcssa ]
  %lcmp.mod75 = icmp ne i64 %xtraiter, 0
  call void @llvm.assume(i1 %lcmp.mod75)
  br label %B358.i.i.i.epil

B358.i.i.i.epil:                                  ; preds = %B358.i.i.i.epil, %B358.i.i.i.epil.preheader
  %missing.2.05.i.i.i.epil = phi i64 [ %.220.i.i.i.epil, %B358.i.i.i.epil ], [ %missing.2.05.i.i.i.epil.init, %B358.i.i.i.epil.preheader ]
  %.101.03.i.i.i.epil = phi i64 [ %.172.i163.i.i.epil, %B358.i.i.i.epil ], [ %.101.03.i.i.i.epil.init, %B358.i.i.i.epil.preheader ]
  %epil.iter = phi i64 [ %epil.iter.next, %B358.i.i.i.epil ], [ 0, %B358.i.i.i.epil.preheader ]
  %.172.i163.i.i.epil = add nuw nsw i64 %.101.03.i.i.i.epil, 1
  %.198.i.i.i.epil = getelementptr i64, ptr %.65.i.i.i, i64 %.101.03.i.i.i.epil
  %.199.i.i.i.epil = load i64, ptr %.198.i.i.i.epil, align 8, !noalias !33
  %.201.i.i.i.epil = getelementptr i64, ptr %.54.i.i.i, i64 %.199.i.i.i.epil
  %.202.i.i.i.epil = load i64, ptr %.201.i.i.i.epil, align 8, !noalias !33
  %.203.i.i.i.epil = icmp eq i64 %.202.i.i.i.epil, 0
  %spec.select.i164.i.i.epil = zext i1 %.203.i.i.i.epil to i64
  %.220.i.i.i.epil = add nuw nsw i64 %missing.2.05.i.i.i.epil, %spec.select.i164.i.i.epil
  %epil.iter.next = add i64 %epil.iter, 1
  %epil.iter.cmp.not = icmp eq i64 %epil.iter.next, %xtraiter
  br i1 %epil.iter.cmp.not, label %B412.loopexit.i.i.i, label %B358.i.i.i.epil, !llvm.loop !36

B412.loopexit.i.i.i:                              ; preds = %B358.i.i.i.epil, %B412.loopexit.i.i.i.unr-lcssa
  %.220.i.i.i.lcssa = phi i64 [ %.220.i.i.i.3, %B412.loopexit.i.i.i.unr-lcssa ], [ %.220.i.i.i.epil, %B358.i.i.i.epil ]
  %11 = icmp ne i64 %.220.i.i.i.lcssa, 0
  %brmerge12.i.i = select i1 %11, i1 true, i1 %.30.i.i
  br i1 %brmerge12.i.i, label %B410.i.i, label %B380.i.i

B306.i.i:                                         ; preds = %owned_fit.exit.thread.i.i, %given_fit.exit.thread.i.i
  %fits.4.0.i.i = phi i64 [ %.sink.i.ph.i.i, %given_fit.exit.thread.i.i ], [ %.sink.i86.ph.i.i, %owned_fit.exit.thread.i.i ]
  switch i64 %fits.4.0.i.i, label %B376.i.i [
    i64 0, label %issued.exitthread-pre-split.i
    i64 -1, label %B410.i.i
  ]

B376.i.i:                                         ; preds = %B306.i.i, %B194.i.i.i, %B276.i.i
  br i1 %.30.i.i, label %B410.i.i, label %B380.i.i

B380.i.i:                                         ; preds = %B376.i.i, %B412.loopexit.i.i.i
  %.13.i166.i.i = getelementptr i8, ptr %.19.i, i64 112
  %.14.i167.i.i = load i64, ptr %.13.i166.i.i, align 8, !noalias !38
  %.15.not.i.i.i = icmp eq i64 %.14.i167.i.i, 0
  br i1 %.15.not.i.i.i, label %B72.i.i.i, label %B436.i.i

B72.i.i.i:                                        ; preds = %B380.i.i
  %.25.i169.i.i = getelementptr i8, ptr %.19.i, i64 88
  %.26.i170.i.i = load i64, ptr %.25.i169.i.i, align 8, !noalias !38
  %.27.i.i.i = shl nsw i64 %.26.i170.i.i, 3
  %.29.i171.i.i = add nsw i64 %.27.i.i.i, %.14.i
  %.30.i172.i.i = inttoptr i64 %.29.i171.i.i to ptr
  %.32.i173.i.i = getelementptr i8, ptr %.19.i, i64 96
  %.33.i.i.i = load i64, ptr %.32.i173.i.i, align 8, !noalias !38
  %.34.i174.i.i = shl nsw i64 %.33.i.i.i, 3
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
  %12 = shl nsw i64 %.75.010.i.i.i, 5
  %.175.i.i.i = add nsw i64 %12, %.36.i175.i.i
  %.182.i177.i.i = inttoptr i64 %.175.i.i.i to ptr
  %.184.i178.i.i = load i64, ptr %.182.i177.i.i, align 8, !noalias !38
  %.185.i.i.i = getelementptr i8, ptr %.182.i177.i.i, i64 8
  %.186.i.i.i = load i64, ptr %.185.i.i.i, align 8, !noalias !38
  %.187.i.i.i = getelementptr i8, ptr %.182.i177.i.i, i64 16
  %.188.i.i.i = load i64, ptr %.187.i.i.i, align 8, !noalias !38
  %.189.i.i.i = getelementptr i8, ptr %.182.i177.i.i, i64 24
  %.190.i.i.i = load i64, ptr %.189.i.i.i, align 8, !noalias !38
  %.213.i.i.i = getelementptr i64, ptr %.30.i172.i.i, i64 %.184.i178.i.i
  %.214.i.i.i = load i64, ptr %.213.i.i.i, align 8, !noalias !38
  %.216.i.i.i = add nsw i64 %.214.i.i.i, %.186.i.i.i
  %.221.i.i.i = icmp sgt i64 %.75.010.i.i.i, 0
  br i1 %.221.i.i.i, label %B444.i.i.i, label %B704.i.i.i

B444.i.i.i:                                       ; preds = %B236.i.i.i, %B612.preheader.i.i.i
  %place.2.0.i.i.i = phi i64 [ %.230.i.i.i, %B612.preheader.i.i.i ], [ %.175.i.i.i, %B236.i.i.i ]
  %.230.i.i.i = add nsw i64 %place.2.0.i.i.i, -32
  %.231.i.i.i = inttoptr i64 %.230.i.i.i to ptr
  %.237.i.i.i = load i64, ptr %.231.i.i.i, align 8, !noalias !38
  %.239.i181.i.i = getelementptr i64, ptr %.30.i172.i.i, i64 %.237.i.i.i
  %.240.i182.i.i = load i64, ptr %.239.i181.i.i, align 8, !noalias !38
  %.242.i.i.i = getelementptr i8, ptr %.231.i.i.i, i64 8
  %.243.i183.i.i = load i64, ptr %.242.i.i.i, align 8, !noalias !38
  %.244.i184.i.i = add nsw i64 %.243.i183.i.i, %.240.i182.i.i
  %.246.not.i.i.i = icmp sgt i64 %.244.i184.i.i, %.216.i.i.i
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
  %.397.i185.i.i = icmp sgt i64 %.230.i.i.i, %.36.i175.i.i
  br i1 %.397.i185.i.i, label %B444.i.i.i, label %B704.i.i.i

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
  %13 = shl nsw i64 %.473.015.i.i.i, 5
  %.570.i.i.i = add nsw i64 %13, %.36.i175.i.i
  %.571.i.i.i = inttoptr i64 %.570.i.i.i to ptr
  %.577.i.i.i = load i64, ptr %.571.i.i.i, align 8, !noalias !38
  %.579.i.i.i = getelementptr i64, ptr %.30.i172.i.i, i64 %.577.i.i.i
  %.580.i.i.i = load i64, ptr %.579.i.i.i, align 8, !noalias !38
  %.582.i.i.i = getelementptr i8, ptr %.571.i.i.i, i64 8
  %.583.i.i.i = load i64, ptr %.582.i.i.i, align 8, !noalias !38
  %.584.i.i.i = add nsw i64 %.583.i.i.i, %.580.i.i.i
  %.599.i.i.i = getelementptr i8, ptr %.571.i.i.i, i64 24
  %.600.i.i.i = load i64, ptr %.599.i.i.i, align 8, !noalias !38
  %.601.not.i.i.i = icmp eq i64 %.600.i.i.i, 0
  %storemerge.i.i.i = select i1 %.601.not.i.i.i, i64 %written_to.2.017.i.i.i, i64 %reached.2.016.i.i.i
  %.617.i.i.i = icmp slt i64 %.584.i.i.i, %storemerge.i.i.i
  br i1 %.617.i.i.i, label %B410.i.i, label %B1108.i.i.i

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
  store i64 1, ptr %.13.i166.i.i, align 8, !noalias !38
  br label %B436.i.i

B818.endif.i.i.i:                                 ; preds = %B704.i.i.i, %B72.i.i.i
  %.52913.not.i.i.i = icmp slt i64 %.47.i.i.i, 1
  br i1 %.52913.not.i.i.i, label %B1208.i.i.i, label %B860.i.i.i

B410.i.i:                                         ; preds = %B860.i.i.i, %B376.i.i, %B306.i.i, %B412.loopexit.i.i.i, %B86.i.i.i
  br label %issued.exitthread-pre-split.i

B436.i.i:                                         ; preds = %B1208.i.i.i, %B380.i.i
  %.247.i.i = getelementptr i8, ptr %.19.i, i64 88
  %.248.i.i = load i64, ptr %.247.i.i, align 8, !noalias !3
  %.249.i.i = shl nsw i64 %.248.i.i, 3
  %.251.i.i = add nsw i64 %.249.i.i, %.14.i
  %.252.i.i = inttoptr i64 %.251.i.i to ptr
  %.258.i.i = load i64, ptr %.25.i.i, align 8, !noalias !3
  %.260.i.i = sub nsw i64 %.3, %.258.i.i
  %.34821.not.i.i = icmp slt i64 %.258.i.i, 1
  br i1 %.34821.not.i.i, label %B674.i.i, label %B586.lr.ph.i.i

B586.lr.ph.i.i:                                   ; preds = %B436.i.i
  %14 = getelementptr i64, ptr %.2, i64 %.260.i.i
  %.394.i.i = getelementptr i8, ptr %.19.i, i64 16
  br label %B586.i.i

B586.i.i:                                         ; preds = %B586.i.i, %B586.lr.ph.i.i
  %.292.022.i.i = phi i64 [ 0, %B586.lr.ph.i.i ], [ %.361.i.i, %B586.i.i ]
  %.361.i.i = add nuw nsw i64 %.292.022.i.i, 1
  %.389.i.i = getelementptr i64, ptr %14, i64 %.292.022.i.i
  %.390.i.i = load i64, ptr %.389.i.i, align 8, !noalias !3
  %.392.i.i = call i64 @PyLong_AsLongLongAndOverflow(i64 %.390.i.i, i64 %.28.i), !noalias !3
  %.395.i.i = load i64, ptr %.394.i.i, align 8, !noalias !3
  %15 = getelementptr i64, ptr %.252.i.i, i64 %.395.i.i
  %.398.i.i = getelementptr i64, ptr %15, i64 %.292.022.i.i
  store i64 %.392.i.i, ptr %.398.i.i, align 8, !noalias !3
  %exitcond.not.i.i = icmp eq i64 %.361.i.i, %.258.i.i
  br i1 %exitcond.not.i.i, label %B674.i.i, label %B586.i.i

B674.i.i:                                         ; preds = %B586.i.i, %B436.i.i
  %16 = getelementptr i64, ptr %.2, i64 %.260.i.i
  %.410.i.i = getelementptr i8, ptr %16, i64 -8
  %.411.i.i = load i64, ptr %.410.i.i, align 8, !noalias !3
  %.415.i.i = call i64 @PyLong_AsLongLongAndOverflow(i64 %.411.i.i, i64 %.28.i), !noalias !3
  %.418.i.i = inttoptr i64 %.415.i.i to ptr
  %.423.i.i = getelementptr i8, ptr %.19.i, i64 408
  %.424.i.i = load i64, ptr %.423.i.i, align 8, !noalias !3
  %.426.i.i = getelementptr i8, ptr %.418.i.i, i64 16
  %.427.i.i = load i64, ptr %.426.i.i, align 8, !noalias !3
  %.428.i.i = icmp sgt i64 %.424.i.i, %.427.i.i
  br i1 %.428.i.i, label %issued.exitthread-pre-split.i, label %B832.i.i

B832.i.i:                                         ; preds = %B674.i.i
  %.446.i.i = icmp sgt i64 %.424.i.i, 0
  br i1 %.446.i.i, label %B866.i.i, label %B920.i.i

B866.i.i:                                         ; preds = %B832.i.i
  %.449.i.i = getelementptr i8, ptr %.418.i.i, i64 8
  %.450.i.i = load i64, ptr %.449.i.i, align 8, !noalias !3
  %.452.i.i = getelementptr i8, ptr %.19.i, i64 416
  %.453.i.i = load i64, ptr %.452.i.i, align 8, !noalias !3
  %.455.i.i = getelementptr i64, ptr %.252.i.i, i64 %.453.i.i
  store i64 %.450.i.i, ptr %.455.i.i, align 8, !noalias !3
  br label %B920.i.i

B920.i.i:                                         ; preds = %B866.i.i, %B832.i.i
  %.463.i.i = getelementptr i8, ptr %.19.i, i64 424
  %.464.i.i = load i64, ptr %.463.i.i, align 8, !noalias !3
  %.465.not.i.i = icmp eq i64 %.464.i.i, 0
  br i1 %.465.not.i.i, label %B1014.i.i, label %B954.i.i

B954.i.i:                                         ; preds = %B920.i.i
  %.468.i.i = getelementptr i8, ptr %.19.i, i64 232
  %.469.i.i = load i64, ptr %.468.i.i, align 8, !noalias !3
  %.470.i.i = icmp sgt i64 %.469.i.i, 0
  br i1 %.470.i.i, label %issued.exitthread-pre-split.i, label %B1014.i.i

B1014.i.i:                                        ; preds = %B954.i.i, %B920.i.i
  %.14.i13.i = load i64, ptr %.247.i.i, align 8, !noalias !41
  %.15.i.i = shl nsw i64 %.14.i13.i, 3
  %.17.i14.i = add nsw i64 %.15.i.i, %.14.i
  %.18.i.i = inttoptr i64 %.17.i14.i to ptr
  %.23.i15.i = getelementptr i8, ptr %.19.i, i64 120
  %.24.i.i = load i64, ptr %.23.i15.i, align 8, !noalias !41
  %.25.i16.i = shl nsw i64 %.24.i.i, 3
  %.27.i.i = add nsw i64 %.25.i16.i, %.14.i
  %.32.i.i = getelementptr i8, ptr %.19.i, i64 312
  %.33.i.i = load i64, ptr %.32.i.i, align 8, !noalias !41
  %.1153.not.i.i = icmp slt i64 %.33.i.i, 1
  br i1 %.1153.not.i.i, label %B368.i.i, label %B190.lr.ph.i.i

B190.lr.ph.i.i:                                   ; preds = %B1014.i.i
  %.30.i.i17.i = getelementptr i8, ptr %.19.i, i64 152
  br label %B190.i.i

B190.i.i:                                         ; preds = %set_word.exit.i.i, %B190.lr.ph.i.i
  %.1246.in.i.i = phi i64 [ %.33.i.i, %B190.lr.ph.i.i ], [ %.1246.i.i, %set_word.exit.i.i ]
  %position.3.05.i.i = phi i64 [ %.27.i.i, %B190.lr.ph.i.i ], [ %.193.i.i, %set_word.exit.i.i ]
  %.1246.i.i = add nsw i64 %.1246.in.i.i, -1
  %.154.i18.i = inttoptr i64 %position.3.05.i.i to ptr
  %.157.i.i = load i64, ptr %.154.i18.i, align 8, !noalias !41
  %.158.i.i = getelementptr i8, ptr %.154.i18.i, i64 8
  %.159.i19.i = load i64, ptr %.158.i.i, align 8, !noalias !41
  %.161.i20.i = getelementptr i64, ptr %.18.i.i, i64 %.159.i19.i
  %.162.i21.i = load i64, ptr %.161.i20.i, align 8, !noalias !41
  %.163.i.i = getelementptr i8, ptr %.154.i18.i, i64 16
  %.164.i.i = load i64, ptr %.163.i.i, align 8, !noalias !41
  %.165.i.i = add nsw i64 %.164.i.i, %.162.i21.i
  %.15.i.i.i = getelementptr i64, ptr %.19.i, i64 %.157.i.i
  %.16.i.i22.i = load i64, ptr %.15.i.i.i, align 8, !noalias !44
  %.18.not.i.i.i = icmp eq i64 %.16.i.i22.i, %.165.i.i
  br i1 %.18.not.i.i.i, label %set_word.exit.i.i, label %B28.i.i.i

B28.i.i.i:                                        ; preds = %B190.i.i
  store i64 %.165.i.i, ptr %.15.i.i.i, align 8, !noalias !44
  store i64 0, ptr %.30.i.i17.i, align 8, !noalias !44
  br label %set_word.exit.i.i

set_word.exit.i.i: ; preds = %B28.i.i.i, %B190.i.i
  %.193.i.i = add nsw i64 %position.3.05.i.i, 32
  %.115.i.i = icmp samesign ugt i64 %.1246.in.i.i, 1
  br i1 %.115.i.i, label %B190.i.i, label %B368.loopexit.i.i

B368.loopexit.i.i:                                ; preds = %set_word.exit.i.i
  %.219.pre.i.i = load i64, ptr %.32.i.i, align 8, !noalias !41
  br label %B368.i.i

B368.i.i:                                         ; preds = %B368.loopexit.i.i, %B1014.i.i
  %.219.i.i = phi i64 [ %.33.i.i, %B1014.i.i ], [ %.219.pre.i.i, %B368.loopexit.i.i ]
  %position.3.0.lcssa.i.i = phi i64 [ %.27.i.i, %B1014.i.i ], [ %.193.i.i, %B368.loopexit.i.i ]
  %.208.i.i = getelementptr i8, ptr %.19.i, i64 456
  store i64 0, ptr %.208.i.i, align 8, !noalias !41
  %.211.i.i = getelementptr i8, ptr %.19.i, i64 232
  %.212.i.i = load i64, ptr %.211.i.i, align 8, !noalias !41
  %.213.i.i = add nsw i64 %.212.i.i, 1
  %.221.i.i = getelementptr i8, ptr %.19.i, i64 128
  %.222.i.i = load i64, ptr %.221.i.i, align 8, !noalias !41
  %.259.i.i = sub i64 %.222.i.i, %.219.i.i
  %.3027.not.i.i = icmp slt i64 %.259.i.i, 1
  br i1 %.3027.not.i.i, label %fill_in.exit.i, label %B498.lr.ph.i.i

B498.lr.ph.i.i:                                   ; preds = %B368.i.i
  %.394.i23.i = getelementptr i8, ptr %.19.i, i64 472
  br label %B498.i.i

B498.i.i:                                         ; preds = %B910.i.i, %B498.lr.ph.i.i
  %.31110.in.i.i = phi i64 [ %.259.i.i, %B498.lr.ph.i.i ], [ %.31110.i.i, %B910.i.i ]
  %position.4.09.i.i = phi i64 [ %position.3.0.lcssa.i.i, %B498.lr.ph.i.i ], [ %.429.i.i, %B910.i.i ]
  %.31110.i.i = add nsw i64 %.31110.in.i.i, -1
  %.341.i24.i = inttoptr i64 %position.4.09.i.i to ptr
  %.346.i25.i = getelementptr i8, ptr %.341.i24.i, i64 8
  %.347.i26.i = load i64, ptr %.346.i25.i, align 8, !noalias !41
  %.349.i27.i = getelementptr i64, ptr %.18.i.i, i64 %.347.i26.i
  %.350.i28.i = load i64, ptr %.349.i27.i, align 8, !noalias !41
  %.352.i.i = getelementptr i8, ptr %.341.i24.i, i64 16
  %.353.i29.i = load i64, ptr %.352.i.i, align 8, !noalias !41
  %.354.i30.i = add nsw i64 %.353.i29.i, %.350.i28.i
  %.360.i31.i = load i64, ptr %.341.i24.i, align 8, !noalias !41
  %.362.i.i = getelementptr i64, ptr %.19.i, i64 %.360.i31.i
  %.363.i.i = load i64, ptr %.362.i.i, align 8, !noalias !41
  %.365.not.i.i = icmp eq i64 %.363.i.i, %.354.i30.i
  br i1 %.365.not.i.i, label %B910.i.i, label %B642.i.i

B642.i.i:                                         ; preds = %B498.i.i
  store i64 %.354.i30.i, ptr %.362.i.i, align 8, !noalias !41
  %.377.i.i = getelementptr i8, ptr %.341.i24.i, i64 24
  %.378.i.i = load i64, ptr %.377.i.i, align 8, !noalias !41
  %.381.i.i = shl nsw i64 %.378.i.i, 3
  %.383.i.i = add nsw i64 %.381.i.i, %.14.i
  %.384.i.i = inttoptr i64 %.383.i.i to ptr
  %.389.i32.i = getelementptr i8, ptr %.384.i.i, i64 80
  %.390.i33.i = load i64, ptr %.389.i32.i, align 8, !noalias !41
  %.391.i.i = icmp eq i64 %.390.i33.i, 0
  br i1 %.391.i.i, label %B772.i.i, label %B814.i.i

B772.i.i:                                         ; preds = %B642.i.i
  %.395.i35.i = load i64, ptr %.394.i23.i, align 8, !noalias !41
  %.396.i.i = add nsw i64 %.395.i35.i, 1
  store i64 %.396.i.i, ptr %.394.i23.i, align 8, !noalias !41
  %.403.pre.i.i = load i64, ptr %.389.i32.i, align 8, !noalias !41
  br label %B814.i.i

B814.i.i:                                         ; preds = %B772.i.i, %B642.i.i
  %.403.i.i = phi i64 [ %.403.pre.i.i, %B772.i.i ], [ %.390.i33.i, %B642.i.i ]
  %.405.not.i.i = icmp eq i64 %.403.i.i, %.213.i.i
  br i1 %.405.not.i.i, label %B910.i.i, label %B848.i.i

B848.i.i:                                         ; preds = %B814.i.i
  store i64 %.213.i.i, ptr %.389.i32.i, align 8, !noalias !41
  %.415.i34.i = load i64, ptr %.208.i.i, align 8, !noalias !41
  %.416.i.i = add nsw i64 %.415.i34.i, 1
  store i64 %.416.i.i, ptr %.208.i.i, align 8, !noalias !41
  br label %B910.i.i

B910.i.i:                                         ; preds = %B848.i.i, %B814.i.i, %B498.i.i
  %.429.i.i = add nsw i64 %position.4.09.i.i, 32
  %.302.i.i = icmp samesign ugt i64 %.31110.in.i.i, 1
  br i1 %.302.i.i, label %B498.i.i, label %fill_in.exit.i

fill_in.exit.i: ; preds = %B910.i.i, %B368.i.i
  %.512.i.i = load i64, ptr %.418.i.i, align 8, !noalias !3
  %.16.i.i = getelementptr i8, ptr %.19.i, i64 152
  %.17.i8.i = load i64, ptr %.16.i.i, align 8, !noalias !47
  %.18.not.i.i = icmp eq i64 %.17.i8.i, 0
  br i1 %.18.not.i.i, label %B72.i.i, label %put_block.exit.thread.i

B72.i.i:                                          ; preds = %fill_in.exit.i
  %.29.i.i = getelementptr i8, ptr %.19.i, i64 168
  %.30.i10.i = load i64, ptr %.29.i.i, align 8, !noalias !47
  %.1126.i.i = icmp sgt i64 %.30.i10.i, 0
  br i1 %.1126.i.i, label %B126.lr.ph.i.i, label %B634.i.i

B126.lr.ph.i.i:                                   ; preds = %B72.i.i
  %.57.29.i.i = add nsw i64 %.30.i10.i, -1
  %.154.i.i = getelementptr i8, ptr %.19.i, i64 136
  %.167.i.i = getelementptr i8, ptr %.19.i, i64 144
  %.321.i.i = getelementptr i8, ptr %.19.i, i64 160
  %.333.i.i = getelementptr i8, ptr %.19.i, i64 192
  %.358.i.i = inttoptr i64 %.512.i.i to ptr
  br label %B126.i.i

B126.i.i:                                         ; preds = %B632.i.i, %B126.lr.ph.i.i
  %.57.212.i.i = phi i64 [ %.57.29.i.i, %B126.lr.ph.i.i ], [ %.57.2.i.i, %B632.i.i ]
  %.54.111.i.i = phi i64 [ 1, %B126.lr.ph.i.i ], [ %.54.1.i.i, %B632.i.i ]
  %.54.010.i.i = phi i64 [ 0, %B126.lr.ph.i.i ], [ %.54.111.i.i, %B632.i.i ]
  %.155.i.i = load i64, ptr %.154.i.i, align 8, !noalias !47
  %17 = shl i64 %.54.010.i.i, 10
  %18 = shl i64 %.155.i.i, 3
  %.159.i.i = add i64 %17, %.14.i
  %.161.i.i = add i64 %.159.i.i, %18
  %.162.i.i = inttoptr i64 %.161.i.i to ptr
  %.168.i.i = load i64, ptr %.167.i.i, align 8, !noalias !47
  %19 = shl i64 %.168.i.i, 3
  %.174.i.i = add i64 %19, %.159.i.i
  %.175.i.i = inttoptr i64 %.174.i.i to ptr
  %20 = getelementptr i8, ptr %.162.i.i, i64 16
  %wide.load58 = load <2 x i64>, ptr %.162.i.i, align 8, !noalias !47
  %wide.load59 = load <2 x i64>, ptr %20, align 8, !noalias !47
  %21 = getelementptr i8, ptr %.175.i.i, i64 16
  %wide.load60 = load <2 x i64>, ptr %.175.i.i, align 8, !noalias !47
  %wide.load61 = load <2 x i64>, ptr %21, align 8, !noalias !47
  %22 = xor <2 x i64> %wide.load60, %wide.load58
  %23 = xor <2 x i64> %wide.load61, %wide.load59
  %24 = getelementptr i8, ptr %.162.i.i, i64 32
  %25 = getelementptr i8, ptr %.162.i.i, i64 48
  %wide.load58.1 = load <2 x i64>, ptr %24, align 8, !noalias !47
  %wide.load59.1 = load <2 x i64>, ptr %25, align 8, !noalias !47
  %26 = getelementptr i8, ptr %.175.i.i, i64 32
  %27 = getelementptr i8, ptr %.175.i.i, i64 48
  %wide.load60.1 = load <2 x i64>, ptr %26, align 8, !noalias !47
  %wide.load61.1 = load <2 x i64>, ptr %27, align 8, !noalias !47
  %28 = xor <2 x i64> %wide.load60.1, %wide.load58.1
  %29 = xor <2 x i64> %wide.load61.1, %wide.load59.1
  %30 = or <2 x i64> %28, %22
  %31 = or <2 x i64> %29, %23
  %32 = getelementptr i8, ptr %.162.i.i, i64 64
  %33 = getelementptr i8, ptr %.162.i.i, i64 80
  %wide.load58.2 = load <2 x i64>, ptr %32, align 8, !noalias !47
  %wide.load59.2 = load <2 x i64>, ptr %33, align 8, !noalias !47
  %34 = getelementptr i8, ptr %.175.i.i, i64 64
  %35 = getelementptr i8, ptr %.175.i.i, i64 80
  %wide.load60.2 = load <2 x i64>, ptr %34, align 8, !noalias !47
  %wide.load61.2 = load <2 x i64>, ptr %35, align 8, !noalias !47
  %36 = xor <2 x i64> %wide.load60.2, %wide.load58.2
  %37 = xor <2 x i64> %wide.load61.2, %wide.load59.2
  %38 = or <2 x i64> %36, %30
  %39 = or <2 x i64> %37, %31
  %40 = getelementptr i8, ptr %.162.i.i, i64 96
  %41 = getelementptr i8, ptr %.162.i.i, i64 112
  %wide.load58.3 = load <2 x i64>, ptr %40, align 8, !noalias !47
  %wide.load59.3 = load <2 x i64>, ptr %41, align 8, !noalias !47
  %42 = getelementptr i8, ptr %.175.i.i, i64 96
  %43 = getelementptr i8, ptr %.175.i.i, i64 112
  %wide.load60.3 = load <2 x i64>, ptr %42, align 8, !noalias !47
  %wide.load61.3 = load <2 x i64>, ptr %43, align 8, !noalias !47
  %44 = xor <2 x i64> %wide.load60.3, %wide.load58.3
  %45 = xor <2 x i64> %wide.load61.3, %wide.load59.3
  %46 = or <2 x i64> %44, %38
  %47 = or <2 x i64> %45, %39
  %48 = getelementptr i8, ptr %.162.i.i, i64 128
  %49 = getelementptr i8, ptr %.162.i.i, i64 144
  %wide.load58.4 = load <2 x i64>, ptr %48, align 8, !noalias !47
  %wide.load59.4 = load <2 x i64>, ptr %49, align 8, !noalias !47
  %50 = getelementptr i8, ptr %.175.i.i, i64 128
  %51 = getelementptr i8, ptr %.175.i.i, i64 144
  %wide.load60.4 = load <2 x i64>, ptr %50, align 8, !noalias !47
  %wide.load61.4 = load <2 x i64>, ptr %51, align 8, !noalias !47
  %52 = xor <2 x i64> %wide.load60.4, %wide.load58.4
  %53 = xor <2 x i64> %wide.load61.4, %wide.load59.4
  %54 = or <2 x i64> %52, %46
  %55 = or <2 x i64> %53, %47
  %56 = getelementptr i8, ptr %.162.i.i, i64 160
  %57 = getelementptr i8, ptr %.162.i.i, i64 176
  %wide.load58.5 = load <2 x i64>, ptr %56, align 8, !noalias !47
  %wide.load59.5 = load <2 x i64>, ptr %57, align 8, !noalias !47
  %58 = getelementptr i8, ptr %.175.i.i, i64 160
  %59 = getelementptr i8, ptr %.175.i.i, i64 176
  %wide.load60.5 = load <2 x i64>, ptr %58, align 8, !noalias !47
  %wide.load61.5 = load <2 x i64>, ptr %59, align 8, !noalias !47
  %60 = xor <2 x i64> %wide.load60.5, %wide.load58.5
  %61 = xor <2 x i64> %wide.load61.5, %wide.load59.5
  %62 = or <2 x i64> %60, %54
  %63 = or <2 x i64> %61, %55
  %64 = getelementptr i8, ptr %.162.i.i, i64 192
  %65 = getelementptr i8, ptr %.162.i.i, i64 208
  %wide.load58.6 = load <2 x i64>, ptr %64, align 8, !noalias !47
  %wide.load59.6 = load <2 x i64>, ptr %65, align 8, !noalias !47
  %66 = getelementptr i8, ptr %.175.i.i, i64 192
  %67 = getelementptr i8, ptr %.175.i.i, i64 208
  %wide.load60.6 = load <2 x i64>, ptr %66, align 8, !noalias !47
  %wide.load61.6 = load <2 x i64>, ptr %67, align 8, !noalias !47
  %68 = xor <2 x i64> %wide.load60.6, %wide.load58.6
  %69 = xor <2 x i64> %wide.load61.6, %wide.load59.6
  %70 = or <2 x i64> %68, %62
  %71 = or <2 x i64> %69, %63
  %72 = getelementptr i8, ptr %.162.i.i, i64 224
  %73 = getelementptr i8, ptr %.162.i.i, i64 240
  %wide.load58.7 = load <2 x i64>, ptr %72, align 8, !noalias !47
  %wide.load59.7 = load <2 x i64>, ptr %73, align 8, !noalias !47
  %74 = getelementptr i8, ptr %.175.i.i, i64 224
  %75 = getelementptr i8, ptr %.175.i.i, i64 240
  %wide.load60.7 = load <2 x i64>, ptr %74, align 8, !noalias !47
  %wide.load61.7 = load <2 x i64>, ptr %75, align 8, !noalias !47
  %76 = xor <2 x i64> %wide.load60.7, %wide.load58.7
  %77 = xor <2 x i64> %wide.load61.7, %wide.load59.7
  %78 = or <2 x i64> %76, %70
  %79 = or <2 x i64> %77, %71
  %80 = getelementptr i8, ptr %.162.i.i, i64 256
  %81 = getelementptr i8, ptr %.162.i.i, i64 272
  %wide.load58.8 = load <2 x i64>, ptr %80, align 8, !noalias !47
  %wide.load59.8 = load <2 x i64>, ptr %81, align 8, !noalias !47
  %82 = getelementptr i8, ptr %.175.i.i, i64 256
  %83 = getelementptr i8, ptr %.175.i.i, i64 272
  %wide.load60.8 = load <2 x i64>, ptr %82, align 8, !noalias !47
  %wide.load61.8 = load <2 x i64>, ptr %83, align 8, !noalias !47
  %84 = xor <2 x i64> %wide.load60.8, %wide.load58.8
  %85 = xor <2 x i64> %wide.load61.8, %wide.load59.8
  %86 = or <2 x i64> %84, %78
  %87 = or <2 x i64> %85, %79
  %88 = getelementptr i8, ptr %.162.i.i, i64 288
  %89 = getelementptr i8, ptr %.162.i.i, i64 304
  %wide.load58.9 = load <2 x i64>, ptr %88, align 8, !noalias !47
  %wide.load59.9 = load <2 x i64>, ptr %89, align 8, !noalias !47
  %90 = getelementptr i8, ptr %.175.i.i, i64 288
  %91 = getelementptr i8, ptr %.175.i.i, i64 304
  %wide.load60.9 = load <2 x i64>, ptr %90, align 8, !noalias !47
  %wide.load61.9 = load <2 x i64>, ptr %91, align 8, !noalias !47
  %92 = xor <2 x i64> %wide.load60.9, %wide.load58.9
  %93 = xor <2 x i64> %wide.load61.9, %wide.load59.9
  %94 = or <2 x i64> %92, %86
  %95 = or <2 x i64> %93, %87
  %96 = getelementptr i8, ptr %.162.i.i, i64 320
  %97 = getelementptr i8, ptr %.162.i.i, i64 336
  %wide.load58.10 = load <2 x i64>, ptr %96, align 8, !noalias !47
  %wide.load59.10 = load <2 x i64>, ptr %97, align 8, !noalias !47
  %98 = getelementptr i8, ptr %.175.i.i, i64 320
  %99 = getelementptr i8, ptr %.175.i.i, i64 336
  %wide.load60.10 = load <2 x i64>, ptr %98, align 8, !noalias !47
  %wide.load61.10 = load <2 x i64>, ptr %99, align 8, !noalias !47
  %100 = xor <2 x i64> %wide.load60.10, %wide.load58.10
  %101 = xor <2 x i64> %wide.load61.10, %wide.load59.10
  %102 = or <2 x i64> %100, %94
  %103 = or <2 x i64> %101, %95
  %104 = getelementptr i8, ptr %.162.i.i, i64 352
  %105 = getelementptr i8, ptr %.162.i.i, i64 368
  %wide.load58.11 = load <2 x i64>, ptr %104, align 8, !noalias !47
  %wide.load59.11 = load <2 x i64>, ptr %105, align 8, !noalias !47
  %106 = getelementptr i8, ptr %.175.i.i, i64 352
  %107 = getelementptr i8, ptr %.175.i.i, i64 368
  %wide.load60.11 = load <2 x i64>, ptr %106, align 8, !noalias !47
  %wide.load61.11 = load <2 x i64>, ptr %107, align 8, !noalias !47
  %108 = xor <2 x i64> %wide.load60.11, %wide.load58.11
  %109 = xor <2 x i64> %wide.load61.11, %wide.load59.11
  %110 = or <2 x i64> %108, %102
  %111 = or <2 x i64> %109, %103
  %112 = getelementptr i8, ptr %.162.i.i, i64 384
  %113 = getelementptr i8, ptr %.162.i.i, i64 400
  %wide.load58.12 = load <2 x i64>, ptr %112, align 8, !noalias !47
  %wide.load59.12 = load <2 x i64>, ptr %113, align 8, !noalias !47
  %114 = getelementptr i8, ptr %.175.i.i, i64 384
  %115 = getelementptr i8, ptr %.175.i.i, i64 400
  %wide.load60.12 = load <2 x i64>, ptr %114, align 8, !noalias !47
  %wide.load61.12 = load <2 x i64>, ptr %115, align 8, !noalias !47
  %116 = xor <2 x i64> %wide.load60.12, %wide.load58.12
  %117 = xor <2 x i64> %wide.load61.12, %wide.load59.12
  %118 = or <2 x i64> %116, %110
  %119 = or <2 x i64> %117, %111
  %120 = getelementptr i8, ptr %.162.i.i, i64 416
  %121 = getelementptr i8, ptr %.162.i.i, i64 432
  %wide.load58.13 = load <2 x i64>, ptr %120, align 8, !noalias !47
  %wide.load59.13 = load <2 x i64>, ptr %121, align 8, !noalias !47
  %122 = getelementptr i8, ptr %.175.i.i, i64 416
  %123 = getelementptr i8, ptr %.175.i.i, i64 432
  %wide.load60.13 = load <2 x i64>, ptr %122, align 8, !noalias !47
  %wide.load61.13 = load <2 x i64>, ptr %123, align 8, !noalias !47
  %124 = xor <2 x i64> %wide.load60.13, %wide.load58.13
  %125 = xor <2 x i64> %wide.load61.13, %wide.load59.13
  %126 = or <2 x i64> %124, %118
  %127 = or <2 x i64> %125, %119
  %128 = getelementptr i8, ptr %.162.i.i, i64 448
  %129 = getelementptr i8, ptr %.162.i.i, i64 464
  %wide.load58.14 = load <2 x i64>, ptr %128, align 8, !noalias !47
  %wide.load59.14 = load <2 x i64>, ptr %129, align 8, !noalias !47
  %130 = getelementptr i8, ptr %.175.i.i, i64 448
  %131 = getelementptr i8, ptr %.175.i.i, i64 464
  %wide.load60.14 = load <2 x i64>, ptr %130, align 8, !noalias !47
  %wide.load61.14 = load <2 x i64>, ptr %131, align 8, !noalias !47
  %132 = xor <2 x i64> %wide.load60.14, %wide.load58.14
  %133 = xor <2 x i64> %wide.load61.14, %wide.load59.14
  %134 = or <2 x i64> %132, %126
  %135 = or <2 x i64> %133, %127
  %136 = getelementptr i8, ptr %.162.i.i, i64 480
  %137 = getelementptr i8, ptr %.162.i.i, i64 496
  %wide.load58.15 = load <2 x i64>, ptr %136, align 8, !noalias !47
  %wide.load59.15 = load <2 x i64>, ptr %137, align 8, !noalias !47
  %138 = getelementptr i8, ptr %.175.i.i, i64 480
  %139 = getelementptr i8, ptr %.175.i.i, i64 496
  %wide.load60.15 = load <2 x i64>, ptr %138, align 8, !noalias !47
  %wide.load61.15 = load <2 x i64>, ptr %139, align 8, !noalias !47
  %140 = xor <2 x i64> %wide.load60.15, %wide.load58.15
  %141 = xor <2 x i64> %wide.load61.15, %wide.load59.15
  %142 = or <2 x i64> %140, %134
  %143 = or <2 x i64> %141, %135
  %144 = getelementptr i8, ptr %.162.i.i, i64 512
  %145 = getelementptr i8, ptr %.162.i.i, i64 528
  %wide.load58.16 = load <2 x i64>, ptr %144, align 8, !noalias !47
  %wide.load59.16 = load <2 x i64>, ptr %145, align 8, !noalias !47
  %146 = getelementptr i8, ptr %.175.i.i, i64 512
  %147 = getelementptr i8, ptr %.175.i.i, i64 528
  %wide.load60.16 = load <2 x i64>, ptr %146, align 8, !noalias !47
  %wide.load61.16 = load <2 x i64>, ptr %147, align 8, !noalias !47
  %148 = xor <2 x i64> %wide.load60.16, %wide.load58.16
  %149 = xor <2 x i64> %wide.load61.16, %wide.load59.16
  %150 = or <2 x i64> %148, %142
  %151 = or <2 x i64> %149, %143
  %152 = getelementptr i8, ptr %.162.i.i, i64 544
  %153 = getelementptr i8, ptr %.162.i.i, i64 560
  %wide.load58.17 = load <2 x i64>, ptr %152, align 8, !noalias !47
  %wide.load59.17 = load <2 x i64>, ptr %153, align 8, !noalias !47
  %154 = getelementptr i8, ptr %.175.i.i, i64 544
  %155 = getelementptr i8, ptr %.175.i.i, i64 560
  %wide.load60.17 = load <2 x i64>, ptr %154, align 8, !noalias !47
  %wide.load61.17 = load <2 x i64>, ptr %155, align 8, !noalias !47
  %156 = xor <2 x i64> %wide.load60.17, %wide.load58.17
  %157 = xor <2 x i64> %wide.load61.17, %wide.load59.17
  %158 = or <2 x i64> %156, %150
  %159 = or <2 x i64> %157, %151
  %160 = getelementptr i8, ptr %.162.i.i, i64 576
  %161 = getelementptr i8, ptr %.162.i.i, i64 592
  %wide.load58.18 = load <2 x i64>, ptr %160, align 8, !noalias !47
  %wide.load59.18 = load <2 x i64>, ptr %161, align 8, !noalias !47
  %162 = getelementptr i8, ptr %.175.i.i, i64 576
  %163 = getelementptr i8, ptr %.175.i.i, i64 592
  %wide.load60.18 = load <2 x i64>, ptr %162, align 8, !noalias !47
  %wide.load61.18 = load <2 x i64>, ptr %163, align 8, !noalias !47
  %164 = xor <2 x i64> %wide.load60.18, %wide.load58.18
  %165 = xor <2 x i64> %wide.load61.18, %wide.load59.18
  %166 = or <2 x i64> %164, %158
  %167 = or <2 x i64> %165, %159
  %168 = getelementptr i8, ptr %.162.i.i, i64 608
  %169 = getelementptr i8, ptr %.162.i.i, i64 624
  %wide.load58.19 = load <2 x i64>, ptr %168, align 8, !noalias !47
  %wide.load59.19 = load <2 x i64>, ptr %169, align 8, !noalias !47
  %170 = getelementptr i8, ptr %.175.i.i, i64 608
  %171 = getelementptr i8, ptr %.175.i.i, i64 624
  %wide.load60.19 = load <2 x i64>, ptr %170, align 8, !noalias !47
  %wide.load61.19 = load <2 x i64>, ptr %171, align 8, !noalias !47
  %172 = xor <2 x i64> %wide.load60.19, %wide.load58.19
  %173 = xor <2 x i64> %wide.load61.19, %wide.load59.19
  %174 = or <2 x i64> %172, %166
  %175 = or <2 x i64> %173, %167
  %176 = getelementptr i8, ptr %.162.i.i, i64 640
  %177 = getelementptr i8, ptr %.162.i.i, i64 656
  %wide.load58.20 = load <2 x i64>, ptr %176, align 8, !noalias !47
  %wide.load59.20 = load <2 x i64>, ptr %177, align 8, !noalias !47
  %178 = getelementptr i8, ptr %.175.i.i, i64 640
  %179 = getelementptr i8, ptr %.175.i.i, i64 656
  %wide.load60.20 = load <2 x i64>, ptr %178, align 8, !noalias !47
  %wide.load61.20 = load <2 x i64>, ptr %179, align 8, !noalias !47
  %180 = xor <2 x i64> %wide.load60.20, %wide.load58.20
  %181 = xor <2 x i64> %wide.load61.20, %wide.load59.20
  %182 = or <2 x i64> %180, %174
  %183 = or <2 x i64> %181, %175
  %184 = getelementptr i8, ptr %.162.i.i, i64 672
  %185 = getelementptr i8, ptr %.162.i.i, i64 688
  %wide.load58.21 = load <2 x i64>, ptr %184, align 8, !noalias !47
  %wide.load59.21 = load <2 x i64>, ptr %185, align 8, !noalias !47
  %186 = getelementptr i8, ptr %.175.i.i, i64 672
  %187 = getelementptr i8, ptr %.175.i.i, i64 688
  %wide.load60.21 = load <2 x i64>, ptr %186, align 8, !noalias !47
  %wide.load61.21 = load <2 x i64>, ptr %187, align 8, !noalias !47
  %188 = xor <2 x i64> %wide.load60.21, %wide.load58.21
  %189 = xor <2 x i64> %wide.load61.21, %wide.load59.21
  %190 = or <2 x i64> %188, %182
  %191 = or <2 x i64> %189, %183
  %192 = getelementptr i8, ptr %.162.i.i, i64 704
  %193 = getelementptr i8, ptr %.162.i.i, i64 720
  %wide.load58.22 = load <2 x i64>, ptr %192, align 8, !noalias !47
  %wide.load59.22 = load <2 x i64>, ptr %193, align 8, !noalias !47
  %194 = getelementptr i8, ptr %.175.i.i, i64 704
  %195 = getelementptr i8, ptr %.175.i.i, i64 720
  %wide.load60.22 = load <2 x i64>, ptr %194, align 8, !noalias !47
  %wide.load61.22 = load <2 x i64>, ptr %195, align 8, !noalias !47
  %196 = xor <2 x i64> %wide.load60.22, %wide.load58.22
  %197 = xor <2 x i64> %wide.load61.22, %wide.load59.22
  %198 = or <2 x i64> %196, %190
  %199 = or <2 x i64> %197, %191
  %200 = getelementptr i8, ptr %.162.i.i, i64 736
  %201 = getelementptr i8, ptr %.162.i.i, i64 752
  %wide.load58.23 = load <2 x i64>, ptr %200, align 8, !noalias !47
  %wide.load59.23 = load <2 x i64>, ptr %201, align 8, !noalias !47
  %202 = getelementptr i8, ptr %.175.i.i, i64 736
  %203 = getelementptr i8, ptr %.175.i.i, i64 752
  %wide.load60.23 = load <2 x i64>, ptr %202, align 8, !noalias !47
  %wide.load61.23 = load <2 x i64>, ptr %203, align 8, !noalias !47
  %204 = xor <2 x i64> %wide.load60.23, %wide.load58.23
  %205 = xor <2 x i64> %wide.load61.23, %wide.load59.23
  %206 = or <2 x i64> %204, %198
  %207 = or <2 x i64> %205, %199
  %208 = getelementptr i8, ptr %.162.i.i, i64 768
  %209 = getelementptr i8, ptr %.162.i.i, i64 784
  %wide.load58.24 = load <2 x i64>, ptr %208, align 8, !noalias !47
  %wide.load59.24 = load <2 x i64>, ptr %209, align 8, !noalias !47
  %210 = getelementptr i8, ptr %.175.i.i, i64 768
  %211 = getelementptr i8, ptr %.175.i.i, i64 784
  %wide.load60.24 = load <2 x i64>, ptr %210, align 8, !noalias !47
  %wide.load61.24 = load <2 x i64>, ptr %211, align 8, !noalias !47
  %212 = xor <2 x i64> %wide.load60.24, %wide.load58.24
  %213 = xor <2 x i64> %wide.load61.24, %wide.load59.24
  %214 = or <2 x i64> %212, %206
  %215 = or <2 x i64> %213, %207
  %216 = getelementptr i8, ptr %.162.i.i, i64 800
  %217 = getelementptr i8, ptr %.162.i.i, i64 816
  %wide.load58.25 = load <2 x i64>, ptr %216, align 8, !noalias !47
  %wide.load59.25 = load <2 x i64>, ptr %217, align 8, !noalias !47
  %218 = getelementptr i8, ptr %.175.i.i, i64 800
  %219 = getelementptr i8, ptr %.175.i.i, i64 816
  %wide.load60.25 = load <2 x i64>, ptr %218, align 8, !noalias !47
  %wide.load61.25 = load <2 x i64>, ptr %219, align 8, !noalias !47
  %220 = xor <2 x i64> %wide.load60.25, %wide.load58.25
  %221 = xor <2 x i64> %wide.load61.25, %wide.load59.25
  %222 = or <2 x i64> %220, %214
  %223 = or <2 x i64> %221, %215
  %224 = getelementptr i8, ptr %.162.i.i, i64 832
  %225 = getelementptr i8, ptr %.162.i.i, i64 848
  %wide.load58.26 = load <2 x i64>, ptr %224, align 8, !noalias !47
  %wide.load59.26 = load <2 x i64>, ptr %225, align 8, !noalias !47
  %226 = getelementptr i8, ptr %.175.i.i, i64 832
  %227 = getelementptr i8, ptr %.175.i.i, i64 848
  %wide.load60.26 = load <2 x i64>, ptr %226, align 8, !noalias !47
  %wide.load61.26 = load <2 x i64>, ptr %227, align 8, !noalias !47
  %228 = xor <2 x i64> %wide.load60.26, %wide.load58.26
  %229 = xor <2 x i64> %wide.load61.26, %wide.load59.26
  %230 = or <2 x i64> %228, %222
  %231 = or <2 x i64> %229, %223
  %232 = getelementptr i8, ptr %.162.i.i, i64 864
  %233 = getelementptr i8, ptr %.162.i.i, i64 880
  %wide.load58.27 = load <2 x i64>, ptr %232, align 8, !noalias !47
  %wide.load59.27 = load <2 x i64>, ptr %233, align 8, !noalias !47
  %234 = getelementptr i8, ptr %.175.i.i, i64 864
  %235 = getelementptr i8, ptr %.175.i.i, i64 880
  %wide.load60.27 = load <2 x i64>, ptr %234, align 8, !noalias !47
  %wide.load61.27 = load <2 x i64>, ptr %235, align 8, !noalias !47
  %236 = xor <2 x i64> %wide.load60.27, %wide.load58.27
  %237 = xor <2 x i64> %wide.load61.27, %wide.load59.27
  %238 = or <2 x i64> %236, %230
  %239 = or <2 x i64> %237, %231
  %240 = getelementptr i8, ptr %.162.i.i, i64 896
  %241 = getelementptr i8, ptr %.162.i.i, i64 912
  %wide.load58.28 = load <2 x i64>, ptr %240, align 8, !noalias !47
  %wide.load59.28 = load <2 x i64>, ptr %241, align 8, !noalias !47
  %242 = getelementptr i8, ptr %.175.i.i, i64 896
  %243 = getelementptr i8, ptr %.175.i.i, i64 912
  %wide.load60.28 = load <2 x i64>, ptr %242, align 8, !noalias !47
  %wide.load61.28 = load <2 x i64>, ptr %243, align 8, !noalias !47
  %244 = xor <2 x i64> %wide.load60.28, %wide.load58.28
  %245 = xor <2 x i64> %wide.load61.28, %wide.load59.28
  %246 = or <2 x i64> %244, %238
  %247 = or <2 x i64> %245, %239
  %248 = getelementptr i8, ptr %.162.i.i, i64 928
  %249 = getelementptr i8, ptr %.162.i.i, i64 944
  %wide.load58.29 = load <2 x i64>, ptr %248, align 8, !noalias !47
  %wide.load59.29 = load <2 x i64>, ptr %249, align 8, !noalias !47
  %250 = getelementptr i8, ptr %.175.i.i, i64 928
  %251 = getelementptr i8, ptr %.175.i.i, i64 944
  %wide.load60.29 = load <2 x i64>, ptr %250, align 8, !noalias !47
  %wide.load61.29 = load <2 x i64>, ptr %251, align 8, !noalias !47
  %252 = xor <2 x i64> %wide.load60.29, %wide.load58.29
  %253 = xor <2 x i64> %wide.load61.29, %wide.load59.29
  %254 = or <2 x i64> %252, %246
  %255 = or <2 x i64> %253, %247
  %256 = getelementptr i8, ptr %.162.i.i, i64 960
  %257 = getelementptr i8, ptr %.162.i.i, i64 976
  %wide.load58.30 = load <2 x i64>, ptr %256, align 8, !noalias !47
  %wide.load59.30 = load <2 x i64>, ptr %257, align 8, !noalias !47
  %258 = getelementptr i8, ptr %.175.i.i, i64 960
  %259 = getelementptr i8, ptr %.175.i.i, i64 976
  %wide.load60.30 = load <2 x i64>, ptr %258, align 8, !noalias !47
  %wide.load61.30 = load <2 x i64>, ptr %259, align 8, !noalias !47
  %260 = xor <2 x i64> %wide.load60.30, %wide.load58.30
  %261 = xor <2 x i64> %wide.load61.30, %wide.load59.30
  %262 = or <2 x i64> %260, %254
  %263 = or <2 x i64> %261, %255
  %264 = getelementptr i8, ptr %.162.i.i, i64 992
  %265 = getelementptr i8, ptr %.162.i.i, i64 1008
  %wide.load58.31 = load <2 x i64>, ptr %264, align 8, !noalias !47
  %wide.load59.31 = load <2 x i64>, ptr %265, align 8, !noalias !47
  %266 = getelementptr i8, ptr %.175.i.i, i64 992
  %267 = getelementptr i8, ptr %.175.i.i, i64 1008
  %wide.load60.31 = load <2 x i64>, ptr %266, align 8, !noalias !47
  %wide.load61.31 = load <2 x i64>, ptr %267, align 8, !noalias !47
  %268 = xor <2 x i64> %wide.load60.31, %wide.load58.31
  %269 = xor <2 x i64> %wide.load61.31, %wide.load59.31
  %270 = or <2 x i64> %268, %262
  %271 = or <2 x i64> %269, %263
  %bin.rdx = or <2 x i64> %271, %270
  %272 = call i64 @llvm.vector.reduce.or.v2i64(<2 x i64> %bin.rdx)
  %.316.not.i.i = icmp eq i64 %272, 0
  br i1 %.316.not.i.i, label %B632.i.i, label %B402.i.i

B402.i.i:                                         ; preds = %B126.i.i
  %.322.i.i = load i64, ptr %.321.i.i, align 8, !noalias !47
  %273 = mul nsw i64 %.54.010.i.i, 11
  %.327.i.i = add nsw i64 %.322.i.i, %273
  %.328.i.i = shl nsw i64 %.327.i.i, 3
  %.330.i.i = add nsw i64 %.328.i.i, %.14.i
  %.331.i.i = inttoptr i64 %.330.i.i to ptr
  %.334.i.i = load i64, ptr %.333.i.i, align 8, !noalias !47
  %.336.i.i = getelementptr i8, ptr %.331.i.i, i64 8
  %.339.i.i = load i32, ptr %.336.i.i, align 4, !noalias !47
  %.340.i.i = getelementptr i8, ptr %.331.i.i, i64 12
  %.341.i.i = load i32, ptr %.340.i.i, align 4, !noalias !47
  %.342.i.i = getelementptr i8, ptr %.331.i.i, i64 16
  %.343.i.i = load i32, ptr %.342.i.i, align 4, !noalias !47
  %.344.i.i = getelementptr i8, ptr %.331.i.i, i64 20
  %.345.i.i = load i32, ptr %.344.i.i, align 4, !noalias !47
  %.346.i.i = getelementptr i8, ptr %.331.i.i, i64 24
  %.347.i.i = load i32, ptr %.346.i.i, align 4, !noalias !47
  %.348.i.i = getelementptr i8, ptr %.331.i.i, i64 28
  %.349.i.i = load i32, ptr %.348.i.i, align 4, !noalias !47
  %.350.i.i = getelementptr i8, ptr %.331.i.i, i64 32
  %.351.i.i = load i32, ptr %.350.i.i, align 4, !noalias !47
  %.353.i.i = load i64, ptr %.331.i.i, align 8, !noalias !47
  %.354.i.i = inttoptr i64 %.353.i.i to ptr
  %.355.i.i = getelementptr i8, ptr %.331.i.i, i64 40
  %.356.i.i = load i64, ptr %.355.i.i, align 8, !noalias !47
  %.357.i.i = inttoptr i64 %.356.i.i to ptr
  %.359.i.i = inttoptr i64 %.334.i.i to ptr
  %.360.i.i = call i32 %.359.i.i(ptr %.354.i.i, i32 %.339.i.i, i32 %.341.i.i, i32 %.343.i.i, i32 %.345.i.i, i32 %.347.i.i, i32 %.349.i.i, i32 %.351.i.i, ptr %.358.i.i, ptr %.357.i.i, ptr null), !noalias !47
  %.366.not.i.i = icmp eq i32 %.360.i.i, 0
  br i1 %.366.not.i.i, label %vector.memcheck, label %put_block.exit.i

vector.memcheck:                                  ; preds = %B402.i.i
  %274 = sub i64 %19, %18
  %diff.check = icmp ult i64 %274, 32
  br i1 %diff.check, label %B606.i.i, label %vector.body

vector.body:                                      ; preds = %vector.memcheck
  %275 = getelementptr i8, ptr %.162.i.i, i64 16
  %wide.load = load <2 x i64>, ptr %.162.i.i, align 8, !noalias !47
  %wide.load52 = load <2 x i64>, ptr %275, align 8, !noalias !47
  %276 = getelementptr i8, ptr %.175.i.i, i64 16
  store <2 x i64> %wide.load, ptr %.175.i.i, align 8, !noalias !47
  store <2 x i64> %wide.load52, ptr %276, align 8, !noalias !47
  %277 = getelementptr i8, ptr %.162.i.i, i64 32
  %278 = getelementptr i8, ptr %.162.i.i, i64 48
  %wide.load.1 = load <2 x i64>, ptr %277, align 8, !noalias !47
  %wide.load52.1 = load <2 x i64>, ptr %278, align 8, !noalias !47
  %279 = getelementptr i8, ptr %.175.i.i, i64 32
  %280 = getelementptr i8, ptr %.175.i.i, i64 48
  store <2 x i64> %wide.load.1, ptr %279, align 8, !noalias !47
  store <2 x i64> %wide.load52.1, ptr %280, align 8, !noalias !47
  %281 = getelementptr i8, ptr %.162.i.i, i64 64
  %282 = getelementptr i8, ptr %.162.i.i, i64 80
  %wide.load.2 = load <2 x i64>, ptr %281, align 8, !noalias !47
  %wide.load52.2 = load <2 x i64>, ptr %282, align 8, !noalias !47
  %283 = getelementptr i8, ptr %.175.i.i, i64 64
  %284 = getelementptr i8, ptr %.175.i.i, i64 80
  store <2 x i64> %wide.load.2, ptr %283, align 8, !noalias !47
  store <2 x i64> %wide.load52.2, ptr %284, align 8, !noalias !47
  %285 = getelementptr i8, ptr %.162.i.i, i64 96
  %286 = getelementptr i8, ptr %.162.i.i, i64 112
  %wide.load.3 = load <2 x i64>, ptr %285, align 8, !noalias !47
  %wide.load52.3 = load <2 x i64>, ptr %286, align 8, !noalias !47
  %287 = getelementptr i8, ptr %.175.i.i, i64 96
  %288 = getelementptr i8, ptr %.175.i.i, i64 112
  store <2 x i64> %wide.load.3, ptr %287, align 8, !noalias !47
  store <2 x i64> %wide.load52.3, ptr %288, align 8, !noalias !47
  %289 = getelementptr i8, ptr %.162.i.i, i64 128
  %290 = getelementptr i8, ptr %.162.i.i, i64 144
  %wide.load.4 = load <2 x i64>, ptr %289, align 8, !noalias !47
  %wide.load52.4 = load <2 x i64>, ptr %290, align 8, !noalias !47
  %291 = getelementptr i8, ptr %.175.i.i, i64 128
  %292 = getelementptr i8, ptr %.175.i.i, i64 144
  store <2 x i64> %wide.load.4, ptr %291, align 8, !noalias !47
  store <2 x i64> %wide.load52.4, ptr %292, align 8, !noalias !47
  %293 = getelementptr i8, ptr %.162.i.i, i64 160
  %294 = getelementptr i8, ptr %.162.i.i, i64 176
  %wide.load.5 = load <2 x i64>, ptr %293, align 8, !noalias !47
  %wide.load52.5 = load <2 x i64>, ptr %294, align 8, !noalias !47
  %295 = getelementptr i8, ptr %.175.i.i, i64 160
  %296 = getelementptr i8, ptr %.175.i.i, i64 176
  store <2 x i64> %wide.load.5, ptr %295, align 8, !noalias !47
  store <2 x i64> %wide.load52.5, ptr %296, align 8, !noalias !47
  %297 = getelementptr i8, ptr %.162.i.i, i64 192
  %298 = getelementptr i8, ptr %.162.i.i, i64 208
  %wide.load.6 = load <2 x i64>, ptr %297, align 8, !noalias !47
  %wide.load52.6 = load <2 x i64>, ptr %298, align 8, !noalias !47
  %299 = getelementptr i8, ptr %.175.i.i, i64 192
  %300 = getelementptr i8, ptr %.175.i.i, i64 208
  store <2 x i64> %wide.load.6, ptr %299, align 8, !noalias !47
  store <2 x i64> %wide.load52.6, ptr %300, align 8, !noalias !47
  %301 = getelementptr i8, ptr %.162.i.i, i64 224
  %302 = getelementptr i8, ptr %.162.i.i, i64 240
  %wide.load.7 = load <2 x i64>, ptr %301, align 8, !noalias !47
  %wide.load52.7 = load <2 x i64>, ptr %302, align 8, !noalias !47
  %303 = getelementptr i8, ptr %.175.i.i, i64 224
  %304 = getelementptr i8, ptr %.175.i.i, i64 240
  store <2 x i64> %wide.load.7, ptr %303, align 8, !noalias !47
  store <2 x i64> %wide.load52.7, ptr %304, align 8, !noalias !47
  %305 = getelementptr i8, ptr %.162.i.i, i64 256
  %306 = getelementptr i8, ptr %.162.i.i, i64 272
  %wide.load.8 = load <2 x i64>, ptr %305, align 8, !noalias !47
  %wide.load52.8 = load <2 x i64>, ptr %306, align 8, !noalias !47
  %307 = getelementptr i8, ptr %.175.i.i, i64 256
  %308 = getelementptr i8, ptr %.175.i.i, i64 272
  store <2 x i64> %wide.load.8, ptr %307, align 8, !noalias !47
  store <2 x i64> %wide.load52.8, ptr %308, align 8, !noalias !47
  %309 = getelementptr i8, ptr %.162.i.i, i64 288
  %310 = getelementptr i8, ptr %.162.i.i, i64 304
  %wide.load.9 = load <2 x i64>, ptr %309, align 8, !noalias !47
  %wide.load52.9 = load <2 x i64>, ptr %310, align 8, !noalias !47
  %311 = getelementptr i8, ptr %.175.i.i, i64 288
  %312 = getelementptr i8, ptr %.175.i.i, i64 304
  store <2 x i64> %wide.load.9, ptr %311, align 8, !noalias !47
  store <2 x i64> %wide.load52.9, ptr %312, align 8, !noalias !47
  %313 = getelementptr i8, ptr %.162.i.i, i64 320
  %314 = getelementptr i8, ptr %.162.i.i, i64 336
  %wide.load.10 = load <2 x i64>, ptr %313, align 8, !noalias !47
  %wide.load52.10 = load <2 x i64>, ptr %314, align 8, !noalias !47
  %315 = getelementptr i8, ptr %.175.i.i, i64 320
  %316 = getelementptr i8, ptr %.175.i.i, i64 336
  store <2 x i64> %wide.load.10, ptr %315, align 8, !noalias !47
  store <2 x i64> %wide.load52.10, ptr %316, align 8, !noalias !47
  %317 = getelementptr i8, ptr %.162.i.i, i64 352
  %318 = getelementptr i8, ptr %.162.i.i, i64 368
  %wide.load.11 = load <2 x i64>, ptr %317, align 8, !noalias !47
  %wide.load52.11 = load <2 x i64>, ptr %318, align 8, !noalias !47
  %319 = getelementptr i8, ptr %.175.i.i, i64 352
  %320 = getelementptr i8, ptr %.175.i.i, i64 368
  store <2 x i64> %wide.load.11, ptr %319, align 8, !noalias !47
  store <2 x i64> %wide.load52.11, ptr %320, align 8, !noalias !47
  %321 = getelementptr i8, ptr %.162.i.i, i64 384
  %322 = getelementptr i8, ptr %.162.i.i, i64 400
  %wide.load.12 = load <2 x i64>, ptr %321, align 8, !noalias !47
  %wide.load52.12 = load <2 x i64>, ptr %322, align 8, !noalias !47
  %323 = getelementptr i8, ptr %.175.i.i, i64 384
  %324 = getelementptr i8, ptr %.175.i.i, i64 400
  store <2 x i64> %wide.load.12, ptr %323, align 8, !noalias !47
  store <2 x i64> %wide.load52.12, ptr %324, align 8, !noalias !47
  %325 = getelementptr i8, ptr %.162.i.i, i64 416
  %326 = getelementptr i8, ptr %.162.i.i, i64 432
  %wide.load.13 = load <2 x i64>, ptr %325, align 8, !noalias !47
  %wide.load52.13 = load <2 x i64>, ptr %326, align 8, !noalias !47
  %327 = getelementptr i8, ptr %.175.i.i, i64 416
  %328 = getelementptr i8, ptr %.175.i.i, i64 432
  store <2 x i64> %wide.load.13, ptr %327, align 8, !noalias !47
  store <2 x i64> %wide.load52.13, ptr %328, align 8, !noalias !47
  %329 = getelementptr i8, ptr %.162.i.i, i64 448
  %330 = getelementptr i8, ptr %.162.i.i, i64 464
  %wide.load.14 = load <2 x i64>, ptr %329, align 8, !noalias !47
  %wide.load52.14 = load <2 x i64>, ptr %330, align 8, !noalias !47
  %331 = getelementptr i8, ptr %.175.i.i, i64 448
  %332 = getelementptr i8, ptr %.175.i.i, i64 464
  store <2 x i64> %wide.load.14, ptr %331, align 8, !noalias !47
  store <2 x i64> %wide.load52.14, ptr %332, align 8, !noalias !47
  %333 = getelementptr i8, ptr %.162.i.i, i64 480
  %334 = getelementptr i8, ptr %.162.i.i, i64 496
  %wide.load.15 = load <2 x i64>, ptr %333, align 8, !noalias !47
  %wide.load52.15 = load <2 x i64>, ptr %334, align 8, !noalias !47
  %335 = getelementptr i8, ptr %.175.i.i, i64 480
  %336 = getelementptr i8, ptr %.175.i.i, i64 496
  store <2 x i64> %wide.load.15, ptr %335, align 8, !noalias !47
  store <2 x i64> %wide.load52.15, ptr %336, align 8, !noalias !47
  %337 = getelementptr i8, ptr %.162.i.i, i64 512
  %338 = getelementptr i8, ptr %.162.i.i, i64 528
  %wide.load.16 = load <2 x i64>, ptr %337, align 8, !noalias !47
  %wide.load52.16 = load <2 x i64>, ptr %338, align 8, !noalias !47
  %339 = getelementptr i8, ptr %.175.i.i, i64 512
  %340 = getelementptr i8, ptr %.175.i.i, i64 528
  store <2 x i64> %wide.load.16, ptr %339, align 8, !noalias !47
  store <2 x i64> %wide.load52.16, ptr %340, align 8, !noalias !47
  %341 = getelementptr i8, ptr %.162.i.i, i64 544
  %342 = getelementptr i8, ptr %.162.i.i, i64 560
  %wide.load.17 = load <2 x i64>, ptr %341, align 8, !noalias !47
  %wide.load52.17 = load <2 x i64>, ptr %342, align 8, !noalias !47
  %343 = getelementptr i8, ptr %.175.i.i, i64 544
  %344 = getelementptr i8, ptr %.175.i.i, i64 560
  store <2 x i64> %wide.load.17, ptr %343, align 8, !noalias !47
  store <2 x i64> %wide.load52.17, ptr %344, align 8, !noalias !47
  %345 = getelementptr i8, ptr %.162.i.i, i64 576
  %346 = getelementptr i8, ptr %.162.i.i, i64 592
  %wide.load.18 = load <2 x i64>, ptr %345, align 8, !noalias !47
  %wide.load52.18 = load <2 x i64>, ptr %346, align 8, !noalias !47
  %347 = getelementptr i8, ptr %.175.i.i, i64 576
  %348 = getelementptr i8, ptr %.175.i.i, i64 592
  store <2 x i64> %wide.load.18, ptr %347, align 8, !noalias !47
  store <2 x i64> %wide.load52.18, ptr %348, align 8, !noalias !47
  %349 = getelementptr i8, ptr %.162.i.i, i64 608
  %350 = getelementptr i8, ptr %.162.i.i, i64 624
  %wide.load.19 = load <2 x i64>, ptr %349, align 8, !noalias !47
  %wide.load52.19 = load <2 x i64>, ptr %350, align 8, !noalias !47
  %351 = getelementptr i8, ptr %.175.i.i, i64 608
  %352 = getelementptr i8, ptr %.175.i.i, i64 624
  store <2 x i64> %wide.load.19, ptr %351, align 8, !noalias !47
  store <2 x i64> %wide.load52.19, ptr %352, align 8, !noalias !47
  %353 = getelementptr i8, ptr %.162.i.i, i64 640
  %354 = getelementptr i8, ptr %.162.i.i, i64 656
  %wide.load.20 = load <2 x i64>, ptr %353, align 8, !noalias !47
  %wide.load52.20 = load <2 x i64>, ptr %354, align 8, !noalias !47
  %355 = getelementptr i8, ptr %.175.i.i, i64 640
  %356 = getelementptr i8, ptr %.175.i.i, i64 656
  store <2 x i64> %wide.load.20, ptr %355, align 8, !noalias !47
  store <2 x i64> %wide.load52.20, ptr %356, align 8, !noalias !47
  %357 = getelementptr i8, ptr %.162.i.i, i64 672
  %358 = getelementptr i8, ptr %.162.i.i, i64 688
  %wide.load.21 = load <2 x i64>, ptr %357, align 8, !noalias !47
  %wide.load52.21 = load <2 x i64>, ptr %358, align 8, !noalias !47
  %359 = getelementptr i8, ptr %.175.i.i, i64 672
  %360 = getelementptr i8, ptr %.175.i.i, i64 688
  store <2 x i64> %wide.load.21, ptr %359, align 8, !noalias !47
  store <2 x i64> %wide.load52.21, ptr %360, align 8, !noalias !47
  %361 = getelementptr i8, ptr %.162.i.i, i64 704
  %362 = getelementptr i8, ptr %.162.i.i, i64 720
  %wide.load.22 = load <2 x i64>, ptr %361, align 8, !noalias !47
  %wide.load52.22 = load <2 x i64>, ptr %362, align 8, !noalias !47
  %363 = getelementptr i8, ptr %.175.i.i, i64 704
  %364 = getelementptr i8, ptr %.175.i.i, i64 720
  store <2 x i64> %wide.load.22, ptr %363, align 8, !noalias !47
  store <2 x i64> %wide.load52.22, ptr %364, align 8, !noalias !47
  %365 = getelementptr i8, ptr %.162.i.i, i64 736
  %366 = getelementptr i8, ptr %.162.i.i, i64 752
  %wide.load.23 = load <2 x i64>, ptr %365, align 8, !noalias !47
  %wide.load52.23 = load <2 x i64>, ptr %366, align 8, !noalias !47
  %367 = getelementptr i8, ptr %.175.i.i, i64 736
  %368 = getelementptr i8, ptr %.175.i.i, i64 752
  store <2 x i64> %wide.load.23, ptr %367, align 8, !noalias !47
  store <2 x i64> %wide.load52.23, ptr %368, align 8, !noalias !47
  %369 = getelementptr i8, ptr %.162.i.i, i64 768
  %370 = getelementptr i8, ptr %.162.i.i, i64 784
  %wide.load.24 = load <2 x i64>, ptr %369, align 8, !noalias !47
  %wide.load52.24 = load <2 x i64>, ptr %370, align 8, !noalias !47
  %371 = getelementptr i8, ptr %.175.i.i, i64 768
  %372 = getelementptr i8, ptr %.175.i.i, i64 784
  store <2 x i64> %wide.load.24, ptr %371, align 8, !noalias !47
  store <2 x i64> %wide.load52.24, ptr %372, align 8, !noalias !47
  %373 = getelementptr i8, ptr %.162.i.i, i64 800
  %374 = getelementptr i8, ptr %.162.i.i, i64 816
  %wide.load.25 = load <2 x i64>, ptr %373, align 8, !noalias !47
  %wide.load52.25 = load <2 x i64>, ptr %374, align 8, !noalias !47
  %375 = getelementptr i8, ptr %.175.i.i, i64 800
  %376 = getelementptr i8, ptr %.175.i.i, i64 816
  store <2 x i64> %wide.load.25, ptr %375, align 8, !noalias !47
  store <2 x i64> %wide.load52.25, ptr %376, align 8, !noalias !47
  %377 = getelementptr i8, ptr %.162.i.i, i64 832
  %378 = getelementptr i8, ptr %.162.i.i, i64 848
  %wide.load.26 = load <2 x i64>, ptr %377, align 8, !noalias !47
  %wide.load52.26 = load <2 x i64>, ptr %378, align 8, !noalias !47
  %379 = getelementptr i8, ptr %.175.i.i, i64 832
  %380 = getelementptr i8, ptr %.175.i.i, i64 848
  store <2 x i64> %wide.load.26, ptr %379, align 8, !noalias !47
  store <2 x i64> %wide.load52.26, ptr %380, align 8, !noalias !47
  %381 = getelementptr i8, ptr %.162.i.i, i64 864
  %382 = getelementptr i8, ptr %.162.i.i, i64 880
  %wide.load.27 = load <2 x i64>, ptr %381, align 8, !noalias !47
  %wide.load52.27 = load <2 x i64>, ptr %382, align 8, !noalias !47
  %383 = getelementptr i8, ptr %.175.i.i, i64 864
  %384 = getelementptr i8, ptr %.175.i.i, i64 880
  store <2 x i64> %wide.load.27, ptr %383, align 8, !noalias !47
  store <2 x i64> %wide.load52.27, ptr %384, align 8, !noalias !47
  %385 = getelementptr i8, ptr %.162.i.i, i64 896
  %386 = getelementptr i8, ptr %.162.i.i, i64 912
  %wide.load.28 = load <2 x i64>, ptr %385, align 8, !noalias !47
  %wide.load52.28 = load <2 x i64>, ptr %386, align 8, !noalias !47
  %387 = getelementptr i8, ptr %.175.i.i, i64 896
  %388 = getelementptr i8, ptr %.175.i.i, i64 912
  store <2 x i64> %wide.load.28, ptr %387, align 8, !noalias !47
  store <2 x i64> %wide.load52.28, ptr %388, align 8, !noalias !47
  %389 = getelementptr i8, ptr %.162.i.i, i64 928
  %390 = getelementptr i8, ptr %.162.i.i, i64 944
  %wide.load.29 = load <2 x i64>, ptr %389, align 8, !noalias !47
  %wide.load52.29 = load <2 x i64>, ptr %390, align 8, !noalias !47
  %391 = getelementptr i8, ptr %.175.i.i, i64 928
  %392 = getelementptr i8, ptr %.175.i.i, i64 944
  store <2 x i64> %wide.load.29, ptr %391, align 8, !noalias !47
  store <2 x i64> %wide.load52.29, ptr %392, align 8, !noalias !47
  %393 = getelementptr i8, ptr %.162.i.i, i64 960
  %394 = getelementptr i8, ptr %.162.i.i, i64 976
  %wide.load.30 = load <2 x i64>, ptr %393, align 8, !noalias !47
  %wide.load52.30 = load <2 x i64>, ptr %394, align 8, !noalias !47
  %395 = getelementptr i8, ptr %.175.i.i, i64 960
  %396 = getelementptr i8, ptr %.175.i.i, i64 976
  store <2 x i64> %wide.load.30, ptr %395, align 8, !noalias !47
  store <2 x i64> %wide.load52.30, ptr %396, align 8, !noalias !47
  %397 = getelementptr i8, ptr %.162.i.i, i64 992
  %398 = getelementptr i8, ptr %.162.i.i, i64 1008
  %wide.load.31 = load <2 x i64>, ptr %397, align 8, !noalias !47
  %wide.load52.31 = load <2 x i64>, ptr %398, align 8, !noalias !47
  %399 = getelementptr i8, ptr %.175.i.i, i64 992
  %400 = getelementptr i8, ptr %.175.i.i, i64 1008
  store <2 x i64> %wide.load.31, ptr %399, align 8, !noalias !47
  store <2 x i64> %wide.load52.31, ptr %400, align 8, !noalias !47
  br label %B632.i.i

B606.i.i:                                         ; preds = %vector.memcheck, %B606.i.i
  %.410.04.i.i = phi i64 [ %.479.i.i.3, %B606.i.i ], [ 0, %vector.memcheck ]
  %.479.i.i = or disjoint i64 %.410.04.i.i, 1
  %.505.i.i = getelementptr i64, ptr %.162.i.i, i64 %.410.04.i.i
  %.506.i.i = load i64, ptr %.505.i.i, align 8, !noalias !47
  %.508.i.i = getelementptr i64, ptr %.175.i.i, i64 %.410.04.i.i
  store i64 %.506.i.i, ptr %.508.i.i, align 8, !noalias !47
  %.479.i.i.1 = or disjoint i64 %.410.04.i.i, 2
  %.505.i.i.1 = getelementptr i64, ptr %.162.i.i, i64 %.479.i.i
  %.506.i.i.1 = load i64, ptr %.505.i.i.1, align 8, !noalias !47
  %.508.i.i.1 = getelementptr i64, ptr %.175.i.i, i64 %.479.i.i
  store i64 %.506.i.i.1, ptr %.508.i.i.1, align 8, !noalias !47
  %.479.i.i.2 = or disjoint i64 %.410.04.i.i, 3
  %.505.i.i.2 = getelementptr i64, ptr %.162.i.i, i64 %.479.i.i.1
  %.506.i.i.2 = load i64, ptr %.505.i.i.2, align 8, !noalias !47
  %.508.i.i.2 = getelementptr i64, ptr %.175.i.i, i64 %.479.i.i.1
  store i64 %.506.i.i.2, ptr %.508.i.i.2, align 8, !noalias !47
  %.479.i.i.3 = add nuw nsw i64 %.410.04.i.i, 4
  %.505.i.i.3 = getelementptr i64, ptr %.162.i.i, i64 %.479.i.i.2
  %.506.i.i.3 = load i64, ptr %.505.i.i.3, align 8, !noalias !47
  %.508.i.i.3 = getelementptr i64, ptr %.175.i.i, i64 %.479.i.i.2
  store i64 %.506.i.i.3, ptr %.508.i.i.3, align 8, !noalias !47
  %exitcond13.not.i.i.3 = icmp eq i64 %.479.i.i.3, 128
  br i1 %exitcond13.not.i.i.3, label %B632.i.i, label %B606.i.i, !llvm.loop !50

B632.i.i:                                         ; preds = %B606.i.i, %vector.body, %B126.i.i
  %.112.i.i = icmp sgt i64 %.57.212.i.i, 0
  %.125.i.i = zext i1 %.112.i.i to i64
  %.54.1.i.i = add i64 %.54.111.i.i, %.125.i.i
  %.121.i.i = sext i1 %.112.i.i to i64
  %.57.2.i.i = add nsw i64 %.57.212.i.i, %.121.i.i
  br i1 %.112.i.i, label %B126.i.i, label %B634.i.i

B634.i.i:                                         ; preds = %B632.i.i, %B72.i.i
  store i64 1, ptr %.16.i.i, align 8, !noalias !47
  br label %put_block.exit.thread.i

put_block.exit.thread.i: ; preds = %B634.i.i, %fill_in.exit.i
  store i64 0, ptr %.24.i, align 8, !noalias !3
  %.549.i.i = load i64, ptr %.418.i.i, align 8, !noalias !3
  %.16.i = getelementptr i8, ptr %.19.i, i64 432
  %.17.i = load i64, ptr %.16.i, align 8, !noalias !52
  %.18.not.i = icmp eq i64 %.17.i, 0
  br i1 %.18.not.i, label %B156.i, label %B68.i

B68.i:                                            ; preds = %put_block.exit.thread.i
  %.22.i = load i64, ptr %.208.i.i, align 8, !noalias !52
  %.24.i2 = getelementptr i8, ptr %.19.i, i64 464
  %.25.i = load i64, ptr %.24.i2, align 8, !noalias !52
  %.26.not.i = icmp sgt i64 %.22.i, %.25.i
  br i1 %.26.not.i, label %B156.i, label %B124.i

B124.i:                                           ; preds = %B68.i
  %.27.i.i3 = getelementptr i8, ptr %.19.i, i64 472
  %.28.i.i4 = load i64, ptr %.27.i.i3, align 8, !noalias !55
  %.29.i.i5 = icmp sgt i64 %.28.i.i4, 0
  br i1 %.29.i.i5, label %B132.preheader.i.i, label %B414.i.i

B132.preheader.i.i:                               ; preds = %B124.i
  %.16.i.i8 = getelementptr i8, ptr %.19.i, i64 176
  %.17.i.i = load i64, ptr %.16.i.i8, align 8, !noalias !55
  %.18.i.i9 = shl nsw i64 %.17.i.i, 3
  %.19.i.i10 = add nsw i64 %.18.i.i9, %.14.i
  %.45.i.i = getelementptr i8, ptr %.19.i, i64 448
  br label %B132.i.i

B132.i.i:                                         ; preds = %B354.i.i, %B132.preheader.i.i
  %.100.pr.i.i = phi i64 [ %.100.pr1.i.i, %B354.i.i ], [ %.28.i.i4, %B132.preheader.i.i ]
  %position.2.0.i.i = phi i64 [ %.95.i.i, %B354.i.i ], [ %.19.i.i10, %B132.preheader.i.i ]
  %.35.i.i = inttoptr i64 %position.2.0.i.i to ptr
  %.40.i.i11 = getelementptr i8, ptr %.35.i.i, i64 80
  %.41.i.i = load i64, ptr %.40.i.i11, align 8, !noalias !55
  %.42.not.i.i = icmp eq i64 %.41.i.i, 0
  br i1 %.42.not.i.i, label %B354.i.i, label %B196.i.i

B196.i.i:                                         ; preds = %B132.i.i
  %.46.i.i = load i64, ptr %.45.i.i, align 8, !noalias !55
  %.48.i.i = getelementptr i8, ptr %.35.i.i, i64 72
  %.49.i.i = load i64, ptr %.48.i.i, align 8, !noalias !55
  %.52.i.i = inttoptr i64 %.46.i.i to ptr
  %.53.i.i = call i32 %.52.i.i(i64 %.17.i, i64 %.49.i.i, i64 %position.2.0.i.i), !noalias !55
  %.59.not.i.i = icmp eq i32 %.53.i.i, 0
  br i1 %.59.not.i.i, label %B292.i.i, label %launch_graph.exit.i

B292.i.i:                                         ; preds = %B196.i.i
  store i64 0, ptr %.40.i.i11, align 8, !noalias !55
  %.85.i.i = load i64, ptr %.27.i.i3, align 8, !noalias !55
  %.86.i.i = add nsw i64 %.85.i.i, -1
  store i64 %.86.i.i, ptr %.27.i.i3, align 8, !noalias !55
  br label %B354.i.i

B354.i.i:                                         ; preds = %B292.i.i, %B132.i.i
  %.100.pr1.i.i = phi i64 [ %.86.i.i, %B292.i.i ], [ %.100.pr.i.i, %B132.i.i ]
  %.95.i.i = add nsw i64 %position.2.0.i.i, 88
  %.101.i.i = icmp sgt i64 %.100.pr1.i.i, 0
  br i1 %.101.i.i, label %B132.i.i, label %B414.i.i

B414.i.i:                                         ; preds = %B354.i.i, %B124.i
  %.111.i.i = getelementptr i8, ptr %.19.i, i64 440
  %.112.i.i6 = load i64, ptr %.111.i.i, align 8, !noalias !55
  %.115.i.i7 = inttoptr i64 %.112.i.i6 to ptr
  %.116.i.i = call i32 %.115.i.i7(i64 %.17.i, i64 %.549.i.i), !noalias !55
  %.126.i.i = icmp eq i32 %.116.i.i, 0
  br i1 %.126.i.i, label %B482.i.i, label %launch_graph.exit.i

B482.i.i:                                         ; preds = %B414.i.i
  %.129.i.i = getelementptr i8, ptr %.19.i, i64 480
  %.130.i.i = load i64, ptr %.129.i.i, align 8, !noalias !55
  %.131.i.i = add nsw i64 %.130.i.i, 1
  store i64 %.131.i.i, ptr %.129.i.i, align 8, !noalias !55
  br label %launch_graph.exit.i

launch_graph.exit.i: ; preds = %B196.i.i, %B482.i.i, %B414.i.i
  %storemerge.in.i.i = phi i32 [ %.116.i.i, %B414.i.i ], [ 0, %B482.i.i ], [ %.53.i.i, %B196.i.i ]
  %storemerge.i.i = sext i32 %storemerge.in.i.i to i64
  br label %launch_all.exit

B156.i:                                           ; preds = %B68.i, %put_block.exit.thread.i
  %.77.i = getelementptr i8, ptr %.19.i, i64 184
  %.78.i = load i64, ptr %.77.i, align 8, !noalias !52
  %.1582.not.i = icmp slt i64 %.78.i, 1
  br i1 %.1582.not.i, label %launch_all.exit, label %B248.lr.ph.i

B248.lr.ph.i:                                     ; preds = %B156.i
  %.66.i = getelementptr i8, ptr %.19.i, i64 176
  %.67.i = load i64, ptr %.66.i, align 8, !noalias !52
  %.68.i = shl nsw i64 %.67.i, 3
  %.70.i = add nsw i64 %.68.i, %.14.i
  %.200.i = getelementptr i8, ptr %.19.i, i64 192
  %.227.i = inttoptr i64 %.549.i.i to ptr
  br label %B248.i

B246.i:                                           ; preds = %B248.i
  %.261.i = add nsw i64 %position.2.05.i, 88
  %.171.i = add nuw i64 %.1717.i, 1
  %exitcond.not.i = icmp eq i64 %.1717.i, %.78.i
  br i1 %exitcond.not.i, label %launch_all.exit, label %B248.i

B248.i:                                           ; preds = %B246.i, %B248.lr.ph.i
  %.1717.i = phi i64 [ 1, %B248.lr.ph.i ], [ %.171.i, %B246.i ]
  %position.2.05.i = phi i64 [ %.70.i, %B248.lr.ph.i ], [ %.261.i, %B246.i ]
  %.102.04.i = phi i64 [ 0, %B248.lr.ph.i ], [ %.1717.i, %B246.i ]
  %.201.i = load i64, ptr %.200.i, align 8, !noalias !52
  %.203.i = inttoptr i64 %position.2.05.i to ptr
  %.205.i = getelementptr i8, ptr %.203.i, i64 8
  %.208.i = load i32, ptr %.205.i, align 4, !noalias !52
  %.209.i = getelementptr i8, ptr %.203.i, i64 12
  %.210.i = load i32, ptr %.209.i, align 4, !noalias !52
  %.211.i = getelementptr i8, ptr %.203.i, i64 16
  %.212.i = load i32, ptr %.211.i, align 4, !noalias !52
  %.213.i = getelementptr i8, ptr %.203.i, i64 20
  %.214.i = load i32, ptr %.213.i, align 4, !noalias !52
  %.215.i = getelementptr i8, ptr %.203.i, i64 24
  %.216.i = load i32, ptr %.215.i, align 4, !noalias !52
  %.217.i = getelementptr i8, ptr %.203.i, i64 28
  %.218.i = load i32, ptr %.217.i, align 4, !noalias !52
  %.219.i = getelementptr i8, ptr %.203.i, i64 32
  %.220.i = load i32, ptr %.219.i, align 4, !noalias !52
  %.222.i = load i64, ptr %.203.i, align 8, !noalias !52
  %.223.i = inttoptr i64 %.222.i to ptr
  %.224.i = getelementptr i8, ptr %.203.i, i64 40
  %.225.i = load i64, ptr %.224.i, align 8, !noalias !52
  %.226.i = inttoptr i64 %.225.i to ptr
  %.228.i = inttoptr i64 %.201.i to ptr
  %.229.i = call i32 %.228.i(ptr %.223.i, i32 %.208.i, i32 %.210.i, i32 %.212.i, i32 %.214.i, i32 %.216.i, i32 %.218.i, i32 %.220.i, ptr %.227.i, ptr %.226.i, ptr null), !noalias !52
  %.235.not.i = icmp eq i32 %.229.i, 0
  br i1 %.235.not.i, label %B246.i, label %B344.i

B344.i:                                           ; preds = %B248.i
  %401 = shl i64 %.102.04.i, 32
  %.230.i = sext i32 %.229.i to i64
  %.250.i = or i64 %401, %.230.i
  br label %launch_all.exit

launch_all.exit: ; preds = %B246.i, %launch_graph.exit.i, %B156.i, %B344.i
  %storemerge.i.sink.i = phi i64 [ %storemerge.i.i, %launch_graph.exit.i ], [ %.250.i, %B344.i ], [ 0, %B156.i ], [ 0, %B246.i ]
  store i64 %storemerge.i.sink.i, ptr %.24.i, align 8, !noalias !3
  br label %issued.exit.i

put_block.exit.i: ; preds = %B402.i.i
  %.361.i12.i = sext i32 %.360.i.i to i64
  store i64 %.361.i12.i, ptr %.24.i, align 8, !noalias !3
  br label %issued.exit.i

issued.exitthread-pre-split.i: ; preds = %B954.i.i, %B674.i.i, %B410.i.i, %B306.i.i, %entry
  %.sink.i = phi i64 [ 224, %B674.i.i ], [ 216, %B306.i.i ], [ 224, %B410.i.i ], [ 216, %entry ], [ 224, %B954.i.i ]
  %.477.i.i = getelementptr i8, ptr %.19.i, i64 %.sink.i
  %.sink.i.ph.i = load i64, ptr %.477.i.i, align 8, !noalias !3
  %.63.pr.i = load i64, ptr %.24.i, align 8, !noalias !0
  br label %issued.exit.i

issued.exit.i: ; preds = %issued.exitthread-pre-split.i, %put_block.exit.i, %launch_all.exit
  %.63.i = phi i64 [ %.63.pr.i, %issued.exitthread-pre-split.i ], [ %.361.i12.i, %put_block.exit.i ], [ %storemerge.i.sink.i, %launch_all.exit ]
  %.sink.i.i = phi i64 [ %.sink.i.ph.i, %issued.exitthread-pre-split.i ], [ 0, %put_block.exit.i ], [ 0, %launch_all.exit ]
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
  %.90.i = load i64, ptr %.25.i.i, align 8, !noalias !0
  %.92.i = sub nsw i64 %.3, %.90.i
  call void @llvm.lifetime.start.p0(ptr nonnull %.73.i.i), !noalias !0
  call void @llvm.lifetime.start.p0(ptr nonnull %.265.i.i), !noalias !0
  %.19.i.i = getelementptr i8, ptr %.19.i, i64 336
  %.20.i.i = load i64, ptr %.19.i.i, align 8, !noalias !58
  %.25.i3.i = getelementptr i8, ptr %.19.i, i64 208
  %.26.i4.i = load i64, ptr %.25.i3.i, align 8, !noalias !58
  switch i64 %.26.i4.i, label %B306.i5.i [
    i64 0, label %B104.i.i
    i64 1, label %B226.i.i
  ]

B104.i.i:                                         ; preds = %B304.i
  %.38.i.i = getelementptr i8, ptr %.19.i, i64 320
  %.39.i.i = load i64, ptr %.38.i.i, align 8, !noalias !58
  %.40.i.i = call ptr @Py_IncRef(i64 %.39.i.i), !noalias !58
  %.43.i.i = load i64, ptr %.38.i.i, align 8, !noalias !58
  br label %results.exit.i

B226.i.i:                                         ; preds = %B304.i
  %.57.i.i = getelementptr i8, ptr %.19.i, i64 328
  %.58.i.i = load i64, ptr %.57.i.i, align 8, !noalias !58
  %.59.i.i = shl nsw i64 %.58.i.i, 3
  %.61.i.i = add nsw i64 %.59.i.i, %.14.i
  %.66.i.i = getelementptr i64, ptr %.2, i64 %.92.i
  %.67.i.i = load i64, ptr %.66.i.i, align 8, !noalias !58
  call fastcc void @fresh_array(ptr nonnull %.73.i.i, ptr nonnull %.19.i, i64 %.61.i.i, i64 %.67.i.i)
  %.87.i.i = load i64, ptr %.73.i.i, align 8, !noalias !58
  br label %results.exit.i

B306.i5.i:                                        ; preds = %B304.i
  %.104.i.i = call i64 @PyTuple_New(i64 %.20.i.i), !noalias !58
  %.109.i.i = icmp eq i64 %.104.i.i, 0
  br i1 %.109.i.i, label %results.exit.i, label %B352.endif.i.i

B384.i.i:                                         ; preds = %B384.lr.ph.i.i, %B512.i.i
  %.2205.i.i = phi i64 [ 1, %B384.lr.ph.i.i ], [ %.220.i.i, %B512.i.i ]
  %.151.03.i.i = phi i64 [ 0, %B384.lr.ph.i.i ], [ %.2205.i.i, %B512.i.i ]
  %.251.i6.i = load i64, ptr %.250.i.i, align 8, !noalias !58
  %.253.i.i = mul nsw i64 %.151.03.i.i, 5
  %.254.i.i = add nsw i64 %.251.i6.i, %.253.i.i
  %.255.i.i = shl nsw i64 %.254.i.i, 3
  %.257.i.i = add nsw i64 %.255.i.i, %.14.i
  %.262.i.i = getelementptr i64, ptr %402, i64 %.151.03.i.i
  %.263.i.i = load i64, ptr %.262.i.i, align 8, !noalias !58
  call fastcc void @fresh_array(ptr nonnull %.265.i.i, ptr nonnull %.19.i, i64 %.257.i.i, i64 %.263.i.i)
  %.279.i.i = load i64, ptr %.265.i.i, align 8, !noalias !58
  %.293.i.i = icmp eq i64 %.279.i.i, 0
  br i1 %.293.i.i, label %results.exit.i, label %B512.i.i

B512.i.i:                                         ; preds = %B384.i.i
  %.316.i.i = call i32 @PyTuple_SetItem(i64 %.104.i.i, i64 %.151.03.i.i, i64 %.279.i.i), !noalias !58
  %.220.i.i = add nuw i64 %.2205.i.i, 1
  %exitcond.not.i7.i = icmp eq i64 %.2205.i.i, %.20.i.i
  br i1 %exitcond.not.i7.i, label %results.exit.i, label %B384.i.i

B352.endif.i.i:                                   ; preds = %B306.i5.i
  %.2071.not.i.i = icmp slt i64 %.20.i.i, 1
  br i1 %.2071.not.i.i, label %results.exit.i, label %B384.lr.ph.i.i

B384.lr.ph.i.i:                                   ; preds = %B352.endif.i.i
  %.250.i.i = getelementptr i8, ptr %.19.i, i64 328
  %402 = getelementptr i64, ptr %.2, i64 %.92.i
  br label %B384.i.i

results.exit.i: ; preds = %B512.i.i, %B384.i.i, %B352.endif.i.i, %B306.i5.i, %B226.i.i, %B104.i.i
  %.87.sink.i.i = phi i64 [ %.87.i.i, %B226.i.i ], [ %.104.i.i, %B352.endif.i.i ], [ 0, %B306.i5.i ], [ %.43.i.i, %B104.i.i ], [ 0, %B384.i.i ], [ %.104.i.i, %B512.i.i ]
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
  %.32.i = load i64, ptr %.30.i, align 8, !noalias !61
  %.34.i = getelementptr i8, ptr %.15, i64 288
  %.35.i = load i64, ptr %.34.i, align 8, !noalias !61
  %.38.not.i = icmp eq i64 %.32.i, %.35.i
  br i1 %.38.not.i, label %B144.i, label %common.ret

B144.i:                                           ; preds = %B42.i
  %.51.i = tail call i32 @PyObject_RichCompareBool(i64 %.56, i64 %.59, i32 2), !noalias !61
  %.61.i = icmp slt i32 %.51.i, 0
  br i1 %.61.i, label %B200.i, label %same.exit

B200.i:                                           ; preds = %B144.i
  %.65.i = tail call ptr @PyErr_Clear(), !noalias !61
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
  %.27.i = load i64, ptr %.25.i, align 8, !noalias !64
  %.29.i12 = add nsw i64 %.121, 8
  %.30.i13 = inttoptr i64 %.29.i12 to ptr
  %.32.i14 = load i64, ptr %.30.i13, align 8, !noalias !64
  %.33.i = icmp eq i64 %.27.i, %.32.i14
  br i1 %.33.i, label %common.ret, label %B176.i

B176.i:                                           ; preds = %B42.i11
  %.5.i.i = add nsw i64 %.118, 28
  %.6.i.i = inttoptr i64 %.5.i.i to ptr
  %.8.i.i = load i32, ptr %.6.i.i, align 4, !noalias !67
  %.5.i6.i = add nsw i64 %.121, 28
  %.6.i7.i = inttoptr i64 %.5.i6.i to ptr
  %.8.i8.i = load i32, ptr %.6.i7.i, align 4, !noalias !70
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
  %.32.i21 = load i64, ptr %.30.i20, align 8, !noalias !73
  %.34.i22 = getelementptr i8, ptr %.15, i64 288
  %.35.i23 = load i64, ptr %.34.i22, align 8, !noalias !73
  %.38.not.i24 = icmp eq i64 %.32.i21, %.35.i23
  br i1 %.38.not.i24, label %B144.i26, label %common.ret

B144.i26:                                         ; preds = %B42.i18
  %.51.i27 = tail call i32 @PyObject_RichCompareBool(i64 %.176, i64 %.180, i32 2), !noalias !73
  %.61.i28 = icmp slt i32 %.51.i27, 0
  br i1 %.61.i28, label %B200.i32, label %same.exit34

B200.i32:                                         ; preds = %B144.i26
  %.65.i33 = tail call ptr @PyErr_Clear(), !noalias !73
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
  %.7.i = tail call ptr @Py_IncRef(i64 %.63), !noalias !76
  %.8.i = add nsw i64 %.60, %.18
  %.9.i = inttoptr i64 %.8.i to ptr
  store i64 %.63, ptr %.9.i, align 8, !noalias !76
  %.93 = getelementptr i8, ptr %arg.table, i64 384
  %.94 = load i64, ptr %.93, align 8
  %.96 = getelementptr i8, ptr %.11, i64 32
  %.97 = load i64, ptr %.96, align 8
  %.7.i21 = tail call ptr @Py_IncRef(i64 %.97), !noalias !79
  %.8.i22 = add nsw i64 %.94, %.18
  %.9.i23 = inttoptr i64 %.8.i22 to ptr
  store i64 %.97, ptr %.9.i23, align 8, !noalias !79
  %.125 = getelementptr i8, ptr %arg.table, i64 368
  %.126 = load i64, ptr %.125, align 8
  %.129 = load i64, ptr %.11, align 8
  %.7.i24 = tail call ptr @Py_IncRef(i64 %.129), !noalias !82
  %.8.i25 = add nsw i64 %.126, %.18
  %.9.i26 = inttoptr i64 %.8.i25 to ptr
  store i64 %.129, ptr %.9.i26, align 8, !noalias !82
  %.157 = getelementptr i8, ptr %arg.table, i64 360
  %.158 = load i64, ptr %.157, align 8
  %.7.i27 = tail call ptr @Py_IncRef(i64 %arg.number), !noalias !85
  %.8.i28 = add nsw i64 %.158, %.18
  %.9.i29 = inttoptr i64 %.8.i28 to ptr
  store i64 %arg.number, ptr %.9.i29, align 8, !noalias !85
  %.186 = getelementptr i8, ptr %arg.table, i64 392
  %.187 = load i64, ptr %.186, align 8
  %.189 = add nsw i64 %.187, %.38
  %.190 = inttoptr i64 %.189 to ptr
  store i64 %.18, ptr %.190, align 8
  %.198 = getelementptr i8, ptr %arg.table, i64 400
  %.199 = load i64, ptr %.198, align 8
  %.201 = getelementptr i8, ptr %arg.table, i64 320
  %.202 = load i64, ptr %.201, align 8
  %.7.i30 = tail call ptr @Py_IncRef(i64 %.202), !noalias !88
  %.8.i31 = add nsw i64 %.199, %.38
  %.9.i32 = inttoptr i64 %.8.i31 to ptr
  store i64 %.202, ptr %.9.i32, align 8, !noalias !88
  %.230 = getelementptr i8, ptr %arg.table, i64 248
  %.231 = load i64, ptr %.230, align 8
  %.7.i33 = tail call ptr @Py_IncRef(i64 %arg.number), !noalias !91
  %.8.i34 = add nsw i64 %.231, %.38
  %.9.i35 = inttoptr i64 %.8.i34 to ptr
  store i64 %arg.number, ptr %.9.i35, align 8, !noalias !91
  %.262 = getelementptr i8, ptr %arg.table, i64 256
  %.263 = load i64, ptr %.262, align 8
  %.265 = getelementptr i8, ptr %.11, i64 8
  %.266 = load i64, ptr %.265, align 8
  %.7.i36 = tail call ptr @Py_IncRef(i64 %.266), !noalias !94
  %.8.i37 = add nsw i64 %.263, %.38
  %.9.i38 = inttoptr i64 %.8.i37 to ptr
  store i64 %.266, ptr %.9.i38, align 8, !noalias !94
  %.294 = getelementptr i8, ptr %arg.table, i64 264
  %.295 = load i64, ptr %.294, align 8
  %.297 = getelementptr i8, ptr %.11, i64 16
  %.298 = load i64, ptr %.297, align 8
  %.7.i39 = tail call ptr @Py_IncRef(i64 %.298), !noalias !97
  %.8.i40 = add nsw i64 %.295, %.38
  %.9.i41 = inttoptr i64 %.8.i40 to ptr
  store i64 %.298, ptr %.9.i41, align 8, !noalias !97
  %.326 = getelementptr i8, ptr %arg.table, i64 272
  %.327 = load i64, ptr %.326, align 8
  %.329 = getelementptr i8, ptr %.11, i64 24
  %.330 = load i64, ptr %.329, align 8
  %.7.i42 = tail call ptr @Py_IncRef(i64 %.330), !noalias !100
  %.8.i43 = add nsw i64 %.327, %.38
  %.9.i44 = inttoptr i64 %.8.i43 to ptr
  store i64 %.330, ptr %.9.i44, align 8, !noalias !100
  %.360 = getelementptr i8, ptr %arg.table, i64 280
  %.361 = load i64, ptr %.360, align 8
  %.363 = getelementptr i8, ptr %arg.table, i64 304
  %.364 = load i64, ptr %.363, align 8
  %.7.i45 = tail call ptr @Py_IncRef(i64 %.364), !noalias !103
  %.8.i46 = add nsw i64 %.361, %.38
  %.9.i47 = inttoptr i64 %.8.i46 to ptr
  store i64 %.364, ptr %.9.i47, align 8, !noalias !103
  br label %common.ret
}

declare i64 @PyTuple_New(i64) local_unnamed_addr

declare i32 @PyTuple_SetItem(i64, i64, i64) local_unnamed_addr

declare i64 @PyType_GenericAlloc(i64, i64) local_unnamed_addr

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.vector.reduce.or.v2i64(<2 x i64>) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #3

attributes #0 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

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
!50 = distinct !{!50, !51}
!51 = !{!"llvm.loop.isvectorized", i32 1}
!52 = !{!53, !4, !1}
!53 = distinct !{!53, !54, !"launch_all: %retptr"}
!54 = distinct !{!54, !"launch_all"}
!55 = !{!56, !53, !4, !1}
!56 = distinct !{!56, !57, !"launch_graph: %retptr"}
!57 = distinct !{!57, !"launch_graph"}
!58 = !{!59, !1}
!59 = distinct !{!59, !60, !"results: %retptr"}
!60 = distinct !{!60, !"results"}
!61 = !{!62}
!62 = distinct !{!62, !63, !"same: %retptr"}
!63 = distinct !{!63, !"same"}
!64 = !{!65}
!65 = distinct !{!65, !66, !"dtype_fits: %retptr"}
!66 = distinct !{!66, !"dtype_fits"}
!67 = !{!68, !65}
!68 = distinct !{!68, !69, !"dtype_number: %retptr"}
!69 = distinct !{!69, !"dtype_number"}
!70 = !{!71, !65}
!71 = distinct !{!71, !72, !"dtype_number: %retptr"}
!72 = distinct !{!72, !"dtype_number"}
!73 = !{!74}
!74 = distinct !{!74, !75, !"same: %retptr"}
!75 = distinct !{!75, !"same"}
!76 = !{!77}
!77 = distinct !{!77, !78, !"put: %retptr"}
!78 = distinct !{!78, !"put"}
!79 = !{!80}
!80 = distinct !{!80, !81, !"put: %retptr"}
!81 = distinct !{!81, !"put"}
!82 = !{!83}
!83 = distinct !{!83, !84, !"put: %retptr"}
!84 = distinct !{!84, !"put"}
!85 = !{!86}
!86 = distinct !{!86, !87, !"put: %retptr"}
!87 = distinct !{!87, !"put"}
!88 = !{!89}
!89 = distinct !{!89, !90, !"put: %retptr"}
!90 = distinct !{!90, !"put"}
!91 = !{!92}
!92 = distinct !{!92, !93, !"put: %retptr"}
!93 = distinct !{!93, !"put"}
!94 = !{!95}
!95 = distinct !{!95, !96, !"put: %retptr"}
!96 = distinct !{!96, !"put"}
!97 = !{!98}
!98 = distinct !{!98, !99, !"put: %retptr"}
!99 = distinct !{!99, !"put"}
!100 = !{!101}
!101 = distinct !{!101, !102, !"put: %retptr"}
!102 = distinct !{!102, !"put"}
!103 = !{!104}
!104 = distinct !{!104, !105, !"put: %retptr"}
!105 = distinct !{!105, !"put"}
