; digest acdf493c4a392656a333914dcb22d6df
; The program guardlift_issue of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py e17a5b694241d735aa9fff1357521527
; source backend/cpu/compiler/numba_functions.py da39e9336568b2b78f81c3820809f6f1
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/plan/issue_table.py ee3963bd78e18dba2f20256d783bb8c5
; source backend/cpu/plan/table_layout.py 59b3983e6cb01dd7c89b299806923b2e
; source backend/cpu/runner/checks.py 05bb8b8c6bad8d04059787a9b6269b67
; source backend/cpu/runner/device_calls.py f43f4ec1b8b4eb3bfadc646e9b6bd40c
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
  %lcmp.mod61 = icmp ne i64 %xtraiter, 0
  call void @llvm.assume(i1 %lcmp.mod61)
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
  %.14.i12.i = load i64, ptr %.247.i.i, align 8, !noalias !41
  %.15.i.i = shl nsw i64 %.14.i12.i, 3
  %.17.i13.i = add nsw i64 %.15.i.i, %.14.i
  %.18.i.i = inttoptr i64 %.17.i13.i to ptr
  %.23.i14.i = getelementptr i8, ptr %.19.i, i64 120
  %.24.i.i = load i64, ptr %.23.i14.i, align 8, !noalias !41
  %.25.i15.i = shl nsw i64 %.24.i.i, 3
  %.27.i.i = add nsw i64 %.25.i15.i, %.14.i
  %.32.i.i = getelementptr i8, ptr %.19.i, i64 312
  %.33.i.i = load i64, ptr %.32.i.i, align 8, !noalias !41
  %.1153.not.i.i = icmp slt i64 %.33.i.i, 1
  br i1 %.1153.not.i.i, label %B368.i.i, label %B190.lr.ph.i.i

B190.lr.ph.i.i:                                   ; preds = %B1014.i.i
  %.30.i.i16.i = getelementptr i8, ptr %.19.i, i64 152
  br label %B190.i.i

B190.i.i:                                         ; preds = %set_word.exit.i.i, %B190.lr.ph.i.i
  %.1246.in.i.i = phi i64 [ %.33.i.i, %B190.lr.ph.i.i ], [ %.1246.i.i, %set_word.exit.i.i ]
  %position.3.05.i.i = phi i64 [ %.27.i.i, %B190.lr.ph.i.i ], [ %.193.i.i, %set_word.exit.i.i ]
  %.1246.i.i = add nsw i64 %.1246.in.i.i, -1
  %.154.i17.i = inttoptr i64 %position.3.05.i.i to ptr
  %.157.i.i = load i64, ptr %.154.i17.i, align 8, !noalias !41
  %.158.i.i = getelementptr i8, ptr %.154.i17.i, i64 8
  %.159.i18.i = load i64, ptr %.158.i.i, align 8, !noalias !41
  %.161.i19.i = getelementptr i64, ptr %.18.i.i, i64 %.159.i18.i
  %.162.i20.i = load i64, ptr %.161.i19.i, align 8, !noalias !41
  %.163.i.i = getelementptr i8, ptr %.154.i17.i, i64 16
  %.164.i.i = load i64, ptr %.163.i.i, align 8, !noalias !41
  %.165.i.i = add nsw i64 %.164.i.i, %.162.i20.i
  %.15.i.i.i = getelementptr i64, ptr %.19.i, i64 %.157.i.i
  %.16.i.i21.i = load i64, ptr %.15.i.i.i, align 8, !noalias !44
  %.18.not.i.i.i = icmp eq i64 %.16.i.i21.i, %.165.i.i
  br i1 %.18.not.i.i.i, label %set_word.exit.i.i, label %B28.i.i.i

B28.i.i.i:                                        ; preds = %B190.i.i
  store i64 %.165.i.i, ptr %.15.i.i.i, align 8, !noalias !44
  store i64 0, ptr %.30.i.i16.i, align 8, !noalias !44
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
  %.394.i22.i = getelementptr i8, ptr %.19.i, i64 472
  br label %B498.i.i

B498.i.i:                                         ; preds = %B910.i.i, %B498.lr.ph.i.i
  %.31110.in.i.i = phi i64 [ %.259.i.i, %B498.lr.ph.i.i ], [ %.31110.i.i, %B910.i.i ]
  %position.4.09.i.i = phi i64 [ %position.3.0.lcssa.i.i, %B498.lr.ph.i.i ], [ %.429.i.i, %B910.i.i ]
  %.31110.i.i = add nsw i64 %.31110.in.i.i, -1
  %.341.i23.i = inttoptr i64 %position.4.09.i.i to ptr
  %.346.i24.i = getelementptr i8, ptr %.341.i23.i, i64 8
  %.347.i25.i = load i64, ptr %.346.i24.i, align 8, !noalias !41
  %.349.i26.i = getelementptr i64, ptr %.18.i.i, i64 %.347.i25.i
  %.350.i27.i = load i64, ptr %.349.i26.i, align 8, !noalias !41
  %.352.i.i = getelementptr i8, ptr %.341.i23.i, i64 16
  %.353.i28.i = load i64, ptr %.352.i.i, align 8, !noalias !41
  %.354.i29.i = add nsw i64 %.353.i28.i, %.350.i27.i
  %.360.i30.i = load i64, ptr %.341.i23.i, align 8, !noalias !41
  %.362.i.i = getelementptr i64, ptr %.19.i, i64 %.360.i30.i
  %.363.i.i = load i64, ptr %.362.i.i, align 8, !noalias !41
  %.365.not.i.i = icmp eq i64 %.363.i.i, %.354.i29.i
  br i1 %.365.not.i.i, label %B910.i.i, label %B642.i.i

B642.i.i:                                         ; preds = %B498.i.i
  store i64 %.354.i29.i, ptr %.362.i.i, align 8, !noalias !41
  %.377.i.i = getelementptr i8, ptr %.341.i23.i, i64 24
  %.378.i.i = load i64, ptr %.377.i.i, align 8, !noalias !41
  %.381.i.i = shl nsw i64 %.378.i.i, 3
  %.383.i.i = add nsw i64 %.381.i.i, %.14.i
  %.384.i.i = inttoptr i64 %.383.i.i to ptr
  %.389.i31.i = getelementptr i8, ptr %.384.i.i, i64 80
  %.390.i32.i = load i64, ptr %.389.i31.i, align 8, !noalias !41
  %.391.i.i = icmp eq i64 %.390.i32.i, 0
  br i1 %.391.i.i, label %B772.i.i, label %B814.i.i

B772.i.i:                                         ; preds = %B642.i.i
  %.395.i34.i = load i64, ptr %.394.i22.i, align 8, !noalias !41
  %.396.i.i = add nsw i64 %.395.i34.i, 1
  store i64 %.396.i.i, ptr %.394.i22.i, align 8, !noalias !41
  %.403.pre.i.i = load i64, ptr %.389.i31.i, align 8, !noalias !41
  br label %B814.i.i

B814.i.i:                                         ; preds = %B772.i.i, %B642.i.i
  %.403.i.i = phi i64 [ %.403.pre.i.i, %B772.i.i ], [ %.390.i32.i, %B642.i.i ]
  %.405.not.i.i = icmp eq i64 %.403.i.i, %.213.i.i
  br i1 %.405.not.i.i, label %B910.i.i, label %B848.i.i

B848.i.i:                                         ; preds = %B814.i.i
  store i64 %.213.i.i, ptr %.389.i31.i, align 8, !noalias !41
  %.415.i33.i = load i64, ptr %.208.i.i, align 8, !noalias !41
  %.416.i.i = add nsw i64 %.415.i33.i, 1
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
  %17 = shl i64 %.54.010.i.i, 8
  %18 = shl i64 %.155.i.i, 3
  %.159.i.i = add i64 %17, %.14.i
  %.161.i.i = add i64 %.159.i.i, %18
  %.162.i.i = inttoptr i64 %.161.i.i to ptr
  %.168.i.i = load i64, ptr %.167.i.i, align 8, !noalias !47
  %19 = shl i64 %.168.i.i, 3
  %.174.i.i = add i64 %19, %.159.i.i
  %.175.i.i = inttoptr i64 %.174.i.i to ptr
  %.301.i.i = load i64, ptr %.162.i.i, align 8, !noalias !47
  %.304.i.i = load i64, ptr %.175.i.i, align 8, !noalias !47
  %.300.1.i.i = getelementptr i8, ptr %.162.i.i, i64 8
  %.301.1.i.i = load i64, ptr %.300.1.i.i, align 8, !noalias !47
  %.303.1.i.i = getelementptr i8, ptr %.175.i.i, i64 8
  %.304.1.i.i = load i64, ptr %.303.1.i.i, align 8, !noalias !47
  %.300.2.i.i = getelementptr i8, ptr %.162.i.i, i64 16
  %.301.2.i.i = load i64, ptr %.300.2.i.i, align 8, !noalias !47
  %.303.2.i.i = getelementptr i8, ptr %.175.i.i, i64 16
  %.304.2.i.i = load i64, ptr %.303.2.i.i, align 8, !noalias !47
  %.300.3.i.i = getelementptr i8, ptr %.162.i.i, i64 24
  %.301.3.i.i = load i64, ptr %.300.3.i.i, align 8, !noalias !47
  %.303.3.i.i = getelementptr i8, ptr %.175.i.i, i64 24
  %.304.3.i.i = load i64, ptr %.303.3.i.i, align 8, !noalias !47
  %.300.4.i.i = getelementptr i8, ptr %.162.i.i, i64 32
  %.301.4.i.i = load i64, ptr %.300.4.i.i, align 8, !noalias !47
  %.303.4.i.i = getelementptr i8, ptr %.175.i.i, i64 32
  %.304.4.i.i = load i64, ptr %.303.4.i.i, align 8, !noalias !47
  %.300.5.i.i = getelementptr i8, ptr %.162.i.i, i64 40
  %.301.5.i.i = load i64, ptr %.300.5.i.i, align 8, !noalias !47
  %.303.5.i.i = getelementptr i8, ptr %.175.i.i, i64 40
  %.304.5.i.i = load i64, ptr %.303.5.i.i, align 8, !noalias !47
  %.300.6.i.i = getelementptr i8, ptr %.162.i.i, i64 48
  %.301.6.i.i = load i64, ptr %.300.6.i.i, align 8, !noalias !47
  %.303.6.i.i = getelementptr i8, ptr %.175.i.i, i64 48
  %.304.6.i.i = load i64, ptr %.303.6.i.i, align 8, !noalias !47
  %.300.7.i.i = getelementptr i8, ptr %.162.i.i, i64 56
  %.301.7.i.i = load i64, ptr %.300.7.i.i, align 8, !noalias !47
  %.303.7.i.i = getelementptr i8, ptr %.175.i.i, i64 56
  %.304.7.i.i = load i64, ptr %.303.7.i.i, align 8, !noalias !47
  %.300.8.i.i = getelementptr i8, ptr %.162.i.i, i64 64
  %.301.8.i.i = load i64, ptr %.300.8.i.i, align 8, !noalias !47
  %.303.8.i.i = getelementptr i8, ptr %.175.i.i, i64 64
  %.304.8.i.i = load i64, ptr %.303.8.i.i, align 8, !noalias !47
  %.300.9.i.i = getelementptr i8, ptr %.162.i.i, i64 72
  %.301.9.i.i = load i64, ptr %.300.9.i.i, align 8, !noalias !47
  %.303.9.i.i = getelementptr i8, ptr %.175.i.i, i64 72
  %.304.9.i.i = load i64, ptr %.303.9.i.i, align 8, !noalias !47
  %.300.10.i.i = getelementptr i8, ptr %.162.i.i, i64 80
  %.301.10.i.i = load i64, ptr %.300.10.i.i, align 8, !noalias !47
  %.303.10.i.i = getelementptr i8, ptr %.175.i.i, i64 80
  %.304.10.i.i = load i64, ptr %.303.10.i.i, align 8, !noalias !47
  %.300.11.i.i = getelementptr i8, ptr %.162.i.i, i64 88
  %.301.11.i.i = load i64, ptr %.300.11.i.i, align 8, !noalias !47
  %.303.11.i.i = getelementptr i8, ptr %.175.i.i, i64 88
  %.304.11.i.i = load i64, ptr %.303.11.i.i, align 8, !noalias !47
  %.300.12.i.i = getelementptr i8, ptr %.162.i.i, i64 96
  %.301.12.i.i = load i64, ptr %.300.12.i.i, align 8, !noalias !47
  %.303.12.i.i = getelementptr i8, ptr %.175.i.i, i64 96
  %.304.12.i.i = load i64, ptr %.303.12.i.i, align 8, !noalias !47
  %.300.13.i.i = getelementptr i8, ptr %.162.i.i, i64 104
  %.301.13.i.i = load i64, ptr %.300.13.i.i, align 8, !noalias !47
  %.303.13.i.i = getelementptr i8, ptr %.175.i.i, i64 104
  %.304.13.i.i = load i64, ptr %.303.13.i.i, align 8, !noalias !47
  %.300.14.i.i = getelementptr i8, ptr %.162.i.i, i64 112
  %.301.14.i.i = load i64, ptr %.300.14.i.i, align 8, !noalias !47
  %.303.14.i.i = getelementptr i8, ptr %.175.i.i, i64 112
  %.304.14.i.i = load i64, ptr %.303.14.i.i, align 8, !noalias !47
  %.300.15.i.i = getelementptr i8, ptr %.162.i.i, i64 120
  %.301.15.i.i = load i64, ptr %.300.15.i.i, align 8, !noalias !47
  %.303.15.i.i = getelementptr i8, ptr %.175.i.i, i64 120
  %.304.15.i.i = load i64, ptr %.303.15.i.i, align 8, !noalias !47
  %.300.16.i.i = getelementptr i8, ptr %.162.i.i, i64 128
  %.301.16.i.i = load i64, ptr %.300.16.i.i, align 8, !noalias !47
  %.303.16.i.i = getelementptr i8, ptr %.175.i.i, i64 128
  %.304.16.i.i = load i64, ptr %.303.16.i.i, align 8, !noalias !47
  %.300.17.i.i = getelementptr i8, ptr %.162.i.i, i64 136
  %.301.17.i.i = load i64, ptr %.300.17.i.i, align 8, !noalias !47
  %.303.17.i.i = getelementptr i8, ptr %.175.i.i, i64 136
  %.304.17.i.i = load i64, ptr %.303.17.i.i, align 8, !noalias !47
  %.300.18.i.i = getelementptr i8, ptr %.162.i.i, i64 144
  %.301.18.i.i = load i64, ptr %.300.18.i.i, align 8, !noalias !47
  %.303.18.i.i = getelementptr i8, ptr %.175.i.i, i64 144
  %.304.18.i.i = load i64, ptr %.303.18.i.i, align 8, !noalias !47
  %.300.19.i.i = getelementptr i8, ptr %.162.i.i, i64 152
  %.301.19.i.i = load i64, ptr %.300.19.i.i, align 8, !noalias !47
  %.303.19.i.i = getelementptr i8, ptr %.175.i.i, i64 152
  %.304.19.i.i = load i64, ptr %.303.19.i.i, align 8, !noalias !47
  %.300.20.i.i = getelementptr i8, ptr %.162.i.i, i64 160
  %.301.20.i.i = load i64, ptr %.300.20.i.i, align 8, !noalias !47
  %.303.20.i.i = getelementptr i8, ptr %.175.i.i, i64 160
  %.304.20.i.i = load i64, ptr %.303.20.i.i, align 8, !noalias !47
  %.300.21.i.i = getelementptr i8, ptr %.162.i.i, i64 168
  %.301.21.i.i = load i64, ptr %.300.21.i.i, align 8, !noalias !47
  %.303.21.i.i = getelementptr i8, ptr %.175.i.i, i64 168
  %.304.21.i.i = load i64, ptr %.303.21.i.i, align 8, !noalias !47
  %.300.22.i.i = getelementptr i8, ptr %.162.i.i, i64 176
  %.301.22.i.i = load i64, ptr %.300.22.i.i, align 8, !noalias !47
  %.303.22.i.i = getelementptr i8, ptr %.175.i.i, i64 176
  %.304.22.i.i = load i64, ptr %.303.22.i.i, align 8, !noalias !47
  %.300.23.i.i = getelementptr i8, ptr %.162.i.i, i64 184
  %.301.23.i.i = load i64, ptr %.300.23.i.i, align 8, !noalias !47
  %.303.23.i.i = getelementptr i8, ptr %.175.i.i, i64 184
  %.304.23.i.i = load i64, ptr %.303.23.i.i, align 8, !noalias !47
  %.300.24.i.i = getelementptr i8, ptr %.162.i.i, i64 192
  %.301.24.i.i = load i64, ptr %.300.24.i.i, align 8, !noalias !47
  %.303.24.i.i = getelementptr i8, ptr %.175.i.i, i64 192
  %.304.24.i.i = load i64, ptr %.303.24.i.i, align 8, !noalias !47
  %.300.25.i.i = getelementptr i8, ptr %.162.i.i, i64 200
  %.301.25.i.i = load i64, ptr %.300.25.i.i, align 8, !noalias !47
  %.303.25.i.i = getelementptr i8, ptr %.175.i.i, i64 200
  %.304.25.i.i = load i64, ptr %.303.25.i.i, align 8, !noalias !47
  %.300.26.i.i = getelementptr i8, ptr %.162.i.i, i64 208
  %.301.26.i.i = load i64, ptr %.300.26.i.i, align 8, !noalias !47
  %.303.26.i.i = getelementptr i8, ptr %.175.i.i, i64 208
  %.304.26.i.i = load i64, ptr %.303.26.i.i, align 8, !noalias !47
  %.300.27.i.i = getelementptr i8, ptr %.162.i.i, i64 216
  %.301.27.i.i = load i64, ptr %.300.27.i.i, align 8, !noalias !47
  %.303.27.i.i = getelementptr i8, ptr %.175.i.i, i64 216
  %.304.27.i.i = load i64, ptr %.303.27.i.i, align 8, !noalias !47
  %.300.28.i.i = getelementptr i8, ptr %.162.i.i, i64 224
  %.301.28.i.i = load i64, ptr %.300.28.i.i, align 8, !noalias !47
  %.303.28.i.i = getelementptr i8, ptr %.175.i.i, i64 224
  %.304.28.i.i = load i64, ptr %.303.28.i.i, align 8, !noalias !47
  %.300.29.i.i = getelementptr i8, ptr %.162.i.i, i64 232
  %.301.29.i.i = load i64, ptr %.300.29.i.i, align 8, !noalias !47
  %.303.29.i.i = getelementptr i8, ptr %.175.i.i, i64 232
  %.304.29.i.i = load i64, ptr %.303.29.i.i, align 8, !noalias !47
  %.300.30.i.i = getelementptr i8, ptr %.162.i.i, i64 240
  %.301.30.i.i = load i64, ptr %.300.30.i.i, align 8, !noalias !47
  %.303.30.i.i = getelementptr i8, ptr %.175.i.i, i64 240
  %.304.30.i.i = load i64, ptr %.303.30.i.i, align 8, !noalias !47
  %.300.31.i.i = getelementptr i8, ptr %.162.i.i, i64 248
  %.301.31.i.i = load i64, ptr %.300.31.i.i, align 8, !noalias !47
  %.303.31.i.i = getelementptr i8, ptr %.175.i.i, i64 248
  %.304.31.i.i = load i64, ptr %.303.31.i.i, align 8, !noalias !47
  %20 = icmp eq i64 %.304.1.i.i, %.301.1.i.i
  %21 = icmp eq i64 %.304.i.i, %.301.i.i
  %22 = and i1 %21, %20
  %23 = icmp eq i64 %.304.2.i.i, %.301.2.i.i
  %24 = and i1 %22, %23
  %25 = icmp eq i64 %.304.3.i.i, %.301.3.i.i
  %26 = and i1 %24, %25
  %27 = icmp eq i64 %.304.4.i.i, %.301.4.i.i
  %28 = and i1 %26, %27
  %29 = icmp eq i64 %.304.5.i.i, %.301.5.i.i
  %30 = and i1 %28, %29
  %31 = icmp eq i64 %.304.6.i.i, %.301.6.i.i
  %32 = and i1 %30, %31
  %33 = icmp eq i64 %.304.7.i.i, %.301.7.i.i
  %34 = and i1 %32, %33
  %35 = icmp eq i64 %.304.8.i.i, %.301.8.i.i
  %36 = and i1 %34, %35
  %37 = icmp eq i64 %.304.9.i.i, %.301.9.i.i
  %38 = and i1 %36, %37
  %39 = icmp eq i64 %.304.10.i.i, %.301.10.i.i
  %40 = and i1 %38, %39
  %41 = icmp eq i64 %.304.11.i.i, %.301.11.i.i
  %42 = and i1 %40, %41
  %43 = icmp eq i64 %.304.12.i.i, %.301.12.i.i
  %44 = and i1 %42, %43
  %45 = icmp eq i64 %.304.13.i.i, %.301.13.i.i
  %46 = and i1 %44, %45
  %47 = icmp eq i64 %.304.14.i.i, %.301.14.i.i
  %48 = and i1 %46, %47
  %49 = icmp eq i64 %.304.15.i.i, %.301.15.i.i
  %50 = and i1 %48, %49
  %51 = icmp eq i64 %.304.16.i.i, %.301.16.i.i
  %52 = and i1 %50, %51
  %53 = icmp eq i64 %.304.17.i.i, %.301.17.i.i
  %54 = and i1 %52, %53
  %55 = icmp eq i64 %.304.18.i.i, %.301.18.i.i
  %56 = and i1 %54, %55
  %57 = icmp eq i64 %.304.19.i.i, %.301.19.i.i
  %58 = and i1 %56, %57
  %59 = icmp eq i64 %.304.20.i.i, %.301.20.i.i
  %60 = and i1 %58, %59
  %61 = icmp eq i64 %.304.21.i.i, %.301.21.i.i
  %62 = and i1 %60, %61
  %63 = icmp eq i64 %.304.22.i.i, %.301.22.i.i
  %64 = and i1 %62, %63
  %65 = icmp eq i64 %.304.23.i.i, %.301.23.i.i
  %66 = and i1 %64, %65
  %67 = icmp eq i64 %.304.24.i.i, %.301.24.i.i
  %68 = and i1 %66, %67
  %69 = icmp eq i64 %.304.25.i.i, %.301.25.i.i
  %70 = and i1 %68, %69
  %71 = icmp eq i64 %.304.26.i.i, %.301.26.i.i
  %72 = and i1 %70, %71
  %73 = icmp eq i64 %.304.27.i.i, %.301.27.i.i
  %74 = and i1 %72, %73
  %75 = icmp eq i64 %.304.28.i.i, %.301.28.i.i
  %76 = and i1 %74, %75
  %77 = icmp eq i64 %.304.29.i.i, %.301.29.i.i
  %78 = and i1 %76, %77
  %79 = icmp eq i64 %.304.30.i.i, %.301.30.i.i
  %80 = and i1 %78, %79
  %81 = icmp eq i64 %.304.31.i.i, %.301.31.i.i
  %.316.not.i.i = and i1 %80, %81
  br i1 %.316.not.i.i, label %B632.i.i, label %B402.i.i

B402.i.i:                                         ; preds = %B126.i.i
  %.322.i.i = load i64, ptr %.321.i.i, align 8, !noalias !47
  %82 = mul nsw i64 %.54.010.i.i, 11
  %.327.i.i = add nsw i64 %.322.i.i, %82
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
  br i1 %.366.not.i.i, label %B606.preheader.i.i, label %put_block.exit.i

B606.preheader.i.i:                               ; preds = %B402.i.i
  %.506.i.i = load i64, ptr %.162.i.i, align 8, !noalias !47
  store i64 %.506.i.i, ptr %.175.i.i, align 8, !noalias !47
  %.506.1.i.i = load i64, ptr %.300.1.i.i, align 8, !noalias !47
  store i64 %.506.1.i.i, ptr %.303.1.i.i, align 8, !noalias !47
  %.506.2.i.i = load i64, ptr %.300.2.i.i, align 8, !noalias !47
  store i64 %.506.2.i.i, ptr %.303.2.i.i, align 8, !noalias !47
  %.506.3.i.i = load i64, ptr %.300.3.i.i, align 8, !noalias !47
  store i64 %.506.3.i.i, ptr %.303.3.i.i, align 8, !noalias !47
  %.506.4.i.i = load i64, ptr %.300.4.i.i, align 8, !noalias !47
  store i64 %.506.4.i.i, ptr %.303.4.i.i, align 8, !noalias !47
  %.506.5.i.i = load i64, ptr %.300.5.i.i, align 8, !noalias !47
  store i64 %.506.5.i.i, ptr %.303.5.i.i, align 8, !noalias !47
  %.506.6.i.i = load i64, ptr %.300.6.i.i, align 8, !noalias !47
  store i64 %.506.6.i.i, ptr %.303.6.i.i, align 8, !noalias !47
  %.506.7.i.i = load i64, ptr %.300.7.i.i, align 8, !noalias !47
  store i64 %.506.7.i.i, ptr %.303.7.i.i, align 8, !noalias !47
  %.506.8.i.i = load i64, ptr %.300.8.i.i, align 8, !noalias !47
  store i64 %.506.8.i.i, ptr %.303.8.i.i, align 8, !noalias !47
  %.506.9.i.i = load i64, ptr %.300.9.i.i, align 8, !noalias !47
  store i64 %.506.9.i.i, ptr %.303.9.i.i, align 8, !noalias !47
  %.506.10.i.i = load i64, ptr %.300.10.i.i, align 8, !noalias !47
  store i64 %.506.10.i.i, ptr %.303.10.i.i, align 8, !noalias !47
  %.506.11.i.i = load i64, ptr %.300.11.i.i, align 8, !noalias !47
  store i64 %.506.11.i.i, ptr %.303.11.i.i, align 8, !noalias !47
  %.506.12.i.i = load i64, ptr %.300.12.i.i, align 8, !noalias !47
  store i64 %.506.12.i.i, ptr %.303.12.i.i, align 8, !noalias !47
  %.506.13.i.i = load i64, ptr %.300.13.i.i, align 8, !noalias !47
  store i64 %.506.13.i.i, ptr %.303.13.i.i, align 8, !noalias !47
  %.506.14.i.i = load i64, ptr %.300.14.i.i, align 8, !noalias !47
  store i64 %.506.14.i.i, ptr %.303.14.i.i, align 8, !noalias !47
  %.506.15.i.i = load i64, ptr %.300.15.i.i, align 8, !noalias !47
  store i64 %.506.15.i.i, ptr %.303.15.i.i, align 8, !noalias !47
  %.506.16.i.i = load i64, ptr %.300.16.i.i, align 8, !noalias !47
  store i64 %.506.16.i.i, ptr %.303.16.i.i, align 8, !noalias !47
  %.506.17.i.i = load i64, ptr %.300.17.i.i, align 8, !noalias !47
  store i64 %.506.17.i.i, ptr %.303.17.i.i, align 8, !noalias !47
  %.506.18.i.i = load i64, ptr %.300.18.i.i, align 8, !noalias !47
  store i64 %.506.18.i.i, ptr %.303.18.i.i, align 8, !noalias !47
  %.506.19.i.i = load i64, ptr %.300.19.i.i, align 8, !noalias !47
  store i64 %.506.19.i.i, ptr %.303.19.i.i, align 8, !noalias !47
  %.506.20.i.i = load i64, ptr %.300.20.i.i, align 8, !noalias !47
  store i64 %.506.20.i.i, ptr %.303.20.i.i, align 8, !noalias !47
  %.506.21.i.i = load i64, ptr %.300.21.i.i, align 8, !noalias !47
  store i64 %.506.21.i.i, ptr %.303.21.i.i, align 8, !noalias !47
  %.506.22.i.i = load i64, ptr %.300.22.i.i, align 8, !noalias !47
  store i64 %.506.22.i.i, ptr %.303.22.i.i, align 8, !noalias !47
  %.506.23.i.i = load i64, ptr %.300.23.i.i, align 8, !noalias !47
  store i64 %.506.23.i.i, ptr %.303.23.i.i, align 8, !noalias !47
  %.506.24.i.i = load i64, ptr %.300.24.i.i, align 8, !noalias !47
  store i64 %.506.24.i.i, ptr %.303.24.i.i, align 8, !noalias !47
  %.506.25.i.i = load i64, ptr %.300.25.i.i, align 8, !noalias !47
  store i64 %.506.25.i.i, ptr %.303.25.i.i, align 8, !noalias !47
  %.506.26.i.i = load i64, ptr %.300.26.i.i, align 8, !noalias !47
  store i64 %.506.26.i.i, ptr %.303.26.i.i, align 8, !noalias !47
  %.506.27.i.i = load i64, ptr %.300.27.i.i, align 8, !noalias !47
  store i64 %.506.27.i.i, ptr %.303.27.i.i, align 8, !noalias !47
  %.506.28.i.i = load i64, ptr %.300.28.i.i, align 8, !noalias !47
  store i64 %.506.28.i.i, ptr %.303.28.i.i, align 8, !noalias !47
  %.506.29.i.i = load i64, ptr %.300.29.i.i, align 8, !noalias !47
  store i64 %.506.29.i.i, ptr %.303.29.i.i, align 8, !noalias !47
  %.506.30.i.i = load i64, ptr %.300.30.i.i, align 8, !noalias !47
  store i64 %.506.30.i.i, ptr %.303.30.i.i, align 8, !noalias !47
  %.506.31.i.i = load i64, ptr %.300.31.i.i, align 8, !noalias !47
  store i64 %.506.31.i.i, ptr %.303.31.i.i, align 8, !noalias !47
  br label %B632.i.i

B632.i.i:                                         ; preds = %B606.preheader.i.i, %B126.i.i
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
  %.17.i = load i64, ptr %.16.i, align 8, !noalias !50
  %.18.not.i = icmp eq i64 %.17.i, 0
  br i1 %.18.not.i, label %B156.i, label %B68.i

B68.i:                                            ; preds = %put_block.exit.thread.i
  %.22.i = load i64, ptr %.208.i.i, align 8, !noalias !50
  %.24.i2 = getelementptr i8, ptr %.19.i, i64 464
  %.25.i = load i64, ptr %.24.i2, align 8, !noalias !50
  %.26.not.i = icmp sgt i64 %.22.i, %.25.i
  br i1 %.26.not.i, label %B156.i, label %B124.i

B124.i:                                           ; preds = %B68.i
  %.27.i.i3 = getelementptr i8, ptr %.19.i, i64 472
  %.28.i.i4 = load i64, ptr %.27.i.i3, align 8, !noalias !53
  %.29.i.i5 = icmp sgt i64 %.28.i.i4, 0
  br i1 %.29.i.i5, label %B132.preheader.i.i, label %B414.i.i

B132.preheader.i.i:                               ; preds = %B124.i
  %.16.i.i8 = getelementptr i8, ptr %.19.i, i64 176
  %.17.i.i = load i64, ptr %.16.i.i8, align 8, !noalias !53
  %.18.i.i9 = shl nsw i64 %.17.i.i, 3
  %.19.i.i10 = add nsw i64 %.18.i.i9, %.14.i
  %.45.i.i = getelementptr i8, ptr %.19.i, i64 448
  br label %B132.i.i

B132.i.i:                                         ; preds = %B354.i.i, %B132.preheader.i.i
  %.100.pr.i.i = phi i64 [ %.100.pr1.i.i, %B354.i.i ], [ %.28.i.i4, %B132.preheader.i.i ]
  %position.2.0.i.i = phi i64 [ %.95.i.i, %B354.i.i ], [ %.19.i.i10, %B132.preheader.i.i ]
  %.35.i.i = inttoptr i64 %position.2.0.i.i to ptr
  %.40.i.i11 = getelementptr i8, ptr %.35.i.i, i64 80
  %.41.i.i = load i64, ptr %.40.i.i11, align 8, !noalias !53
  %.42.not.i.i = icmp eq i64 %.41.i.i, 0
  br i1 %.42.not.i.i, label %B354.i.i, label %B196.i.i

B196.i.i:                                         ; preds = %B132.i.i
  %.46.i.i = load i64, ptr %.45.i.i, align 8, !noalias !53
  %.48.i.i = getelementptr i8, ptr %.35.i.i, i64 72
  %.49.i.i = load i64, ptr %.48.i.i, align 8, !noalias !53
  %.52.i.i = inttoptr i64 %.46.i.i to ptr
  %.53.i.i = call i32 %.52.i.i(i64 %.17.i, i64 %.49.i.i, i64 %position.2.0.i.i), !noalias !53
  %.59.not.i.i = icmp eq i32 %.53.i.i, 0
  br i1 %.59.not.i.i, label %B292.i.i, label %launch_graph.exit.i

B292.i.i:                                         ; preds = %B196.i.i
  store i64 0, ptr %.40.i.i11, align 8, !noalias !53
  %.85.i.i = load i64, ptr %.27.i.i3, align 8, !noalias !53
  %.86.i.i = add nsw i64 %.85.i.i, -1
  store i64 %.86.i.i, ptr %.27.i.i3, align 8, !noalias !53
  br label %B354.i.i

B354.i.i:                                         ; preds = %B292.i.i, %B132.i.i
  %.100.pr1.i.i = phi i64 [ %.86.i.i, %B292.i.i ], [ %.100.pr.i.i, %B132.i.i ]
  %.95.i.i = add nsw i64 %position.2.0.i.i, 88
  %.101.i.i = icmp sgt i64 %.100.pr1.i.i, 0
  br i1 %.101.i.i, label %B132.i.i, label %B414.i.i

B414.i.i:                                         ; preds = %B354.i.i, %B124.i
  %.111.i.i = getelementptr i8, ptr %.19.i, i64 440
  %.112.i.i6 = load i64, ptr %.111.i.i, align 8, !noalias !53
  %.115.i.i7 = inttoptr i64 %.112.i.i6 to ptr
  %.116.i.i = call i32 %.115.i.i7(i64 %.17.i, i64 %.549.i.i), !noalias !53
  %.126.i.i = icmp eq i32 %.116.i.i, 0
  br i1 %.126.i.i, label %B482.i.i, label %launch_graph.exit.i

B482.i.i:                                         ; preds = %B414.i.i
  %.129.i.i = getelementptr i8, ptr %.19.i, i64 480
  %.130.i.i = load i64, ptr %.129.i.i, align 8, !noalias !53
  %.131.i.i = add nsw i64 %.130.i.i, 1
  store i64 %.131.i.i, ptr %.129.i.i, align 8, !noalias !53
  br label %launch_graph.exit.i

launch_graph.exit.i: ; preds = %B196.i.i, %B482.i.i, %B414.i.i
  %storemerge.in.i.i = phi i32 [ %.116.i.i, %B414.i.i ], [ 0, %B482.i.i ], [ %.53.i.i, %B196.i.i ]
  %storemerge.i.i = sext i32 %storemerge.in.i.i to i64
  br label %launch_all.exit

B156.i:                                           ; preds = %B68.i, %put_block.exit.thread.i
  %.77.i = getelementptr i8, ptr %.19.i, i64 184
  %.78.i = load i64, ptr %.77.i, align 8, !noalias !50
  %.1582.not.i = icmp slt i64 %.78.i, 1
  br i1 %.1582.not.i, label %launch_all.exit, label %B248.lr.ph.i

B248.lr.ph.i:                                     ; preds = %B156.i
  %.66.i = getelementptr i8, ptr %.19.i, i64 176
  %.67.i = load i64, ptr %.66.i, align 8, !noalias !50
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
  %.201.i = load i64, ptr %.200.i, align 8, !noalias !50
  %.203.i = inttoptr i64 %position.2.05.i to ptr
  %.205.i = getelementptr i8, ptr %.203.i, i64 8
  %.208.i = load i32, ptr %.205.i, align 4, !noalias !50
  %.209.i = getelementptr i8, ptr %.203.i, i64 12
  %.210.i = load i32, ptr %.209.i, align 4, !noalias !50
  %.211.i = getelementptr i8, ptr %.203.i, i64 16
  %.212.i = load i32, ptr %.211.i, align 4, !noalias !50
  %.213.i = getelementptr i8, ptr %.203.i, i64 20
  %.214.i = load i32, ptr %.213.i, align 4, !noalias !50
  %.215.i = getelementptr i8, ptr %.203.i, i64 24
  %.216.i = load i32, ptr %.215.i, align 4, !noalias !50
  %.217.i = getelementptr i8, ptr %.203.i, i64 28
  %.218.i = load i32, ptr %.217.i, align 4, !noalias !50
  %.219.i = getelementptr i8, ptr %.203.i, i64 32
  %.220.i = load i32, ptr %.219.i, align 4, !noalias !50
  %.222.i = load i64, ptr %.203.i, align 8, !noalias !50
  %.223.i = inttoptr i64 %.222.i to ptr
  %.224.i = getelementptr i8, ptr %.203.i, i64 40
  %.225.i = load i64, ptr %.224.i, align 8, !noalias !50
  %.226.i = inttoptr i64 %.225.i to ptr
  %.228.i = inttoptr i64 %.201.i to ptr
  %.229.i = call i32 %.228.i(ptr %.223.i, i32 %.208.i, i32 %.210.i, i32 %.212.i, i32 %.214.i, i32 %.216.i, i32 %.218.i, i32 %.220.i, ptr %.227.i, ptr %.226.i, ptr null), !noalias !50
  %.235.not.i = icmp eq i32 %.229.i, 0
  br i1 %.235.not.i, label %B246.i, label %B344.i

B344.i:                                           ; preds = %B248.i
  %83 = shl i64 %.102.04.i, 32
  %.230.i = sext i32 %.229.i to i64
  %.250.i = or i64 %83, %.230.i
  br label %launch_all.exit

launch_all.exit: ; preds = %B246.i, %launch_graph.exit.i, %B156.i, %B344.i
  %storemerge.i.sink.i = phi i64 [ %storemerge.i.i, %launch_graph.exit.i ], [ %.250.i, %B344.i ], [ 0, %B156.i ], [ 0, %B246.i ]
  store i64 %storemerge.i.sink.i, ptr %.24.i, align 8, !noalias !3
  br label %issued.exit.i

put_block.exit.i: ; preds = %B402.i.i
  %.361.i11.i = sext i32 %.360.i.i to i64
  store i64 %.361.i11.i, ptr %.24.i, align 8, !noalias !3
  br label %issued.exit.i

issued.exitthread-pre-split.i: ; preds = %B954.i.i, %B674.i.i, %B410.i.i, %B306.i.i, %entry
  %.sink.i = phi i64 [ 224, %B674.i.i ], [ 216, %B306.i.i ], [ 224, %B410.i.i ], [ 216, %entry ], [ 224, %B954.i.i ]
  %.477.i.i = getelementptr i8, ptr %.19.i, i64 %.sink.i
  %.sink.i.ph.i = load i64, ptr %.477.i.i, align 8, !noalias !3
  %.63.pr.i = load i64, ptr %.24.i, align 8, !noalias !0
  br label %issued.exit.i

issued.exit.i: ; preds = %issued.exitthread-pre-split.i, %put_block.exit.i, %launch_all.exit
  %.63.i = phi i64 [ %.63.pr.i, %issued.exitthread-pre-split.i ], [ %.361.i11.i, %put_block.exit.i ], [ %storemerge.i.sink.i, %launch_all.exit ]
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
  %.20.i.i = load i64, ptr %.19.i.i, align 8, !noalias !56
  %.25.i3.i = getelementptr i8, ptr %.19.i, i64 208
  %.26.i4.i = load i64, ptr %.25.i3.i, align 8, !noalias !56
  switch i64 %.26.i4.i, label %B306.i5.i [
    i64 0, label %B104.i.i
    i64 1, label %B226.i.i
  ]

B104.i.i:                                         ; preds = %B304.i
  %.38.i.i = getelementptr i8, ptr %.19.i, i64 320
  %.39.i.i = load i64, ptr %.38.i.i, align 8, !noalias !56
  %.40.i.i = call ptr @Py_IncRef(i64 %.39.i.i), !noalias !56
  %.43.i.i = load i64, ptr %.38.i.i, align 8, !noalias !56
  br label %results.exit.i

B226.i.i:                                         ; preds = %B304.i
  %.57.i.i = getelementptr i8, ptr %.19.i, i64 328
  %.58.i.i = load i64, ptr %.57.i.i, align 8, !noalias !56
  %.59.i.i = shl nsw i64 %.58.i.i, 3
  %.61.i.i = add nsw i64 %.59.i.i, %.14.i
  %.66.i.i = getelementptr i64, ptr %.2, i64 %.92.i
  %.67.i.i = load i64, ptr %.66.i.i, align 8, !noalias !56
  call fastcc void @fresh_array(ptr nonnull %.73.i.i, ptr nonnull %.19.i, i64 %.61.i.i, i64 %.67.i.i)
  %.87.i.i = load i64, ptr %.73.i.i, align 8, !noalias !56
  br label %results.exit.i

B306.i5.i:                                        ; preds = %B304.i
  %.104.i.i = call i64 @PyTuple_New(i64 %.20.i.i), !noalias !56
  %.109.i.i = icmp eq i64 %.104.i.i, 0
  br i1 %.109.i.i, label %results.exit.i, label %B352.endif.i.i

B384.i.i:                                         ; preds = %B384.lr.ph.i.i, %B512.i.i
  %.2205.i.i = phi i64 [ 1, %B384.lr.ph.i.i ], [ %.220.i.i, %B512.i.i ]
  %.151.03.i.i = phi i64 [ 0, %B384.lr.ph.i.i ], [ %.2205.i.i, %B512.i.i ]
  %.251.i6.i = load i64, ptr %.250.i.i, align 8, !noalias !56
  %.253.i.i = mul nsw i64 %.151.03.i.i, 5
  %.254.i.i = add nsw i64 %.251.i6.i, %.253.i.i
  %.255.i.i = shl nsw i64 %.254.i.i, 3
  %.257.i.i = add nsw i64 %.255.i.i, %.14.i
  %.262.i.i = getelementptr i64, ptr %84, i64 %.151.03.i.i
  %.263.i.i = load i64, ptr %.262.i.i, align 8, !noalias !56
  call fastcc void @fresh_array(ptr nonnull %.265.i.i, ptr nonnull %.19.i, i64 %.257.i.i, i64 %.263.i.i)
  %.279.i.i = load i64, ptr %.265.i.i, align 8, !noalias !56
  %.293.i.i = icmp eq i64 %.279.i.i, 0
  br i1 %.293.i.i, label %results.exit.i, label %B512.i.i

B512.i.i:                                         ; preds = %B384.i.i
  %.316.i.i = call i32 @PyTuple_SetItem(i64 %.104.i.i, i64 %.151.03.i.i, i64 %.279.i.i), !noalias !56
  %.220.i.i = add nuw i64 %.2205.i.i, 1
  %exitcond.not.i7.i = icmp eq i64 %.2205.i.i, %.20.i.i
  br i1 %exitcond.not.i7.i, label %results.exit.i, label %B384.i.i

B352.endif.i.i:                                   ; preds = %B306.i5.i
  %.2071.not.i.i = icmp slt i64 %.20.i.i, 1
  br i1 %.2071.not.i.i, label %results.exit.i, label %B384.lr.ph.i.i

B384.lr.ph.i.i:                                   ; preds = %B352.endif.i.i
  %.250.i.i = getelementptr i8, ptr %.19.i, i64 328
  %84 = getelementptr i64, ptr %.2, i64 %.92.i
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
  %.32.i = load i64, ptr %.30.i, align 8, !noalias !59
  %.34.i = getelementptr i8, ptr %.15, i64 288
  %.35.i = load i64, ptr %.34.i, align 8, !noalias !59
  %.38.not.i = icmp eq i64 %.32.i, %.35.i
  br i1 %.38.not.i, label %B144.i, label %common.ret

B144.i:                                           ; preds = %B42.i
  %.51.i = tail call i32 @PyObject_RichCompareBool(i64 %.56, i64 %.59, i32 2), !noalias !59
  %.61.i = icmp slt i32 %.51.i, 0
  br i1 %.61.i, label %B200.i, label %same.exit

B200.i:                                           ; preds = %B144.i
  %.65.i = tail call ptr @PyErr_Clear(), !noalias !59
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
  %.27.i = load i64, ptr %.25.i, align 8, !noalias !62
  %.29.i12 = add nsw i64 %.121, 8
  %.30.i13 = inttoptr i64 %.29.i12 to ptr
  %.32.i14 = load i64, ptr %.30.i13, align 8, !noalias !62
  %.33.i = icmp eq i64 %.27.i, %.32.i14
  br i1 %.33.i, label %common.ret, label %B176.i

B176.i:                                           ; preds = %B42.i11
  %.5.i.i = add nsw i64 %.118, 28
  %.6.i.i = inttoptr i64 %.5.i.i to ptr
  %.8.i.i = load i32, ptr %.6.i.i, align 4, !noalias !65
  %.5.i6.i = add nsw i64 %.121, 28
  %.6.i7.i = inttoptr i64 %.5.i6.i to ptr
  %.8.i8.i = load i32, ptr %.6.i7.i, align 4, !noalias !68
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
  %.32.i21 = load i64, ptr %.30.i20, align 8, !noalias !71
  %.34.i22 = getelementptr i8, ptr %.15, i64 288
  %.35.i23 = load i64, ptr %.34.i22, align 8, !noalias !71
  %.38.not.i24 = icmp eq i64 %.32.i21, %.35.i23
  br i1 %.38.not.i24, label %B144.i26, label %common.ret

B144.i26:                                         ; preds = %B42.i18
  %.51.i27 = tail call i32 @PyObject_RichCompareBool(i64 %.176, i64 %.180, i32 2), !noalias !71
  %.61.i28 = icmp slt i32 %.51.i27, 0
  br i1 %.61.i28, label %B200.i32, label %same.exit34

B200.i32:                                         ; preds = %B144.i26
  %.65.i33 = tail call ptr @PyErr_Clear(), !noalias !71
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
  %.7.i = tail call ptr @Py_IncRef(i64 %.63), !noalias !74
  %.8.i = add nsw i64 %.60, %.18
  %.9.i = inttoptr i64 %.8.i to ptr
  store i64 %.63, ptr %.9.i, align 8, !noalias !74
  %.93 = getelementptr i8, ptr %arg.table, i64 384
  %.94 = load i64, ptr %.93, align 8
  %.96 = getelementptr i8, ptr %.11, i64 32
  %.97 = load i64, ptr %.96, align 8
  %.7.i21 = tail call ptr @Py_IncRef(i64 %.97), !noalias !77
  %.8.i22 = add nsw i64 %.94, %.18
  %.9.i23 = inttoptr i64 %.8.i22 to ptr
  store i64 %.97, ptr %.9.i23, align 8, !noalias !77
  %.125 = getelementptr i8, ptr %arg.table, i64 368
  %.126 = load i64, ptr %.125, align 8
  %.129 = load i64, ptr %.11, align 8
  %.7.i24 = tail call ptr @Py_IncRef(i64 %.129), !noalias !80
  %.8.i25 = add nsw i64 %.126, %.18
  %.9.i26 = inttoptr i64 %.8.i25 to ptr
  store i64 %.129, ptr %.9.i26, align 8, !noalias !80
  %.157 = getelementptr i8, ptr %arg.table, i64 360
  %.158 = load i64, ptr %.157, align 8
  %.7.i27 = tail call ptr @Py_IncRef(i64 %arg.number), !noalias !83
  %.8.i28 = add nsw i64 %.158, %.18
  %.9.i29 = inttoptr i64 %.8.i28 to ptr
  store i64 %arg.number, ptr %.9.i29, align 8, !noalias !83
  %.186 = getelementptr i8, ptr %arg.table, i64 392
  %.187 = load i64, ptr %.186, align 8
  %.189 = add nsw i64 %.187, %.38
  %.190 = inttoptr i64 %.189 to ptr
  store i64 %.18, ptr %.190, align 8
  %.198 = getelementptr i8, ptr %arg.table, i64 400
  %.199 = load i64, ptr %.198, align 8
  %.201 = getelementptr i8, ptr %arg.table, i64 320
  %.202 = load i64, ptr %.201, align 8
  %.7.i30 = tail call ptr @Py_IncRef(i64 %.202), !noalias !86
  %.8.i31 = add nsw i64 %.199, %.38
  %.9.i32 = inttoptr i64 %.8.i31 to ptr
  store i64 %.202, ptr %.9.i32, align 8, !noalias !86
  %.230 = getelementptr i8, ptr %arg.table, i64 248
  %.231 = load i64, ptr %.230, align 8
  %.7.i33 = tail call ptr @Py_IncRef(i64 %arg.number), !noalias !89
  %.8.i34 = add nsw i64 %.231, %.38
  %.9.i35 = inttoptr i64 %.8.i34 to ptr
  store i64 %arg.number, ptr %.9.i35, align 8, !noalias !89
  %.262 = getelementptr i8, ptr %arg.table, i64 256
  %.263 = load i64, ptr %.262, align 8
  %.265 = getelementptr i8, ptr %.11, i64 8
  %.266 = load i64, ptr %.265, align 8
  %.7.i36 = tail call ptr @Py_IncRef(i64 %.266), !noalias !92
  %.8.i37 = add nsw i64 %.263, %.38
  %.9.i38 = inttoptr i64 %.8.i37 to ptr
  store i64 %.266, ptr %.9.i38, align 8, !noalias !92
  %.294 = getelementptr i8, ptr %arg.table, i64 264
  %.295 = load i64, ptr %.294, align 8
  %.297 = getelementptr i8, ptr %.11, i64 16
  %.298 = load i64, ptr %.297, align 8
  %.7.i39 = tail call ptr @Py_IncRef(i64 %.298), !noalias !95
  %.8.i40 = add nsw i64 %.295, %.38
  %.9.i41 = inttoptr i64 %.8.i40 to ptr
  store i64 %.298, ptr %.9.i41, align 8, !noalias !95
  %.326 = getelementptr i8, ptr %arg.table, i64 272
  %.327 = load i64, ptr %.326, align 8
  %.329 = getelementptr i8, ptr %.11, i64 24
  %.330 = load i64, ptr %.329, align 8
  %.7.i42 = tail call ptr @Py_IncRef(i64 %.330), !noalias !98
  %.8.i43 = add nsw i64 %.327, %.38
  %.9.i44 = inttoptr i64 %.8.i43 to ptr
  store i64 %.330, ptr %.9.i44, align 8, !noalias !98
  %.360 = getelementptr i8, ptr %arg.table, i64 280
  %.361 = load i64, ptr %.360, align 8
  %.363 = getelementptr i8, ptr %arg.table, i64 304
  %.364 = load i64, ptr %.363, align 8
  %.7.i45 = tail call ptr @Py_IncRef(i64 %.364), !noalias !101
  %.8.i46 = add nsw i64 %.361, %.38
  %.9.i47 = inttoptr i64 %.8.i46 to ptr
  store i64 %.364, ptr %.9.i47, align 8, !noalias !101
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
!53 = !{!54, !51, !4, !1}
!54 = distinct !{!54, !55, !"launch_graph: %retptr"}
!55 = distinct !{!55, !"launch_graph"}
!56 = !{!57, !1}
!57 = distinct !{!57, !58, !"results: %retptr"}
!58 = distinct !{!58, !"results"}
!59 = !{!60}
!60 = distinct !{!60, !61, !"same: %retptr"}
!61 = distinct !{!61, !"same"}
!62 = !{!63}
!63 = distinct !{!63, !64, !"dtype_fits: %retptr"}
!64 = distinct !{!64, !"dtype_fits"}
!65 = !{!66, !63}
!66 = distinct !{!66, !67, !"dtype_number: %retptr"}
!67 = distinct !{!67, !"dtype_number"}
!68 = !{!69, !63}
!69 = distinct !{!69, !70, !"dtype_number: %retptr"}
!70 = distinct !{!70, !"dtype_number"}
!71 = !{!72}
!72 = distinct !{!72, !73, !"same: %retptr"}
!73 = distinct !{!73, !"same"}
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
!101 = !{!102}
!102 = distinct !{!102, !103, !"put: %retptr"}
!103 = distinct !{!103, !"put"}
