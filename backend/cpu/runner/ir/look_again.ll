; digest 1931f72dd93c918dfe8a48d775dcedd2
; The program guardlift_look_again of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py 593aaea976605c17dc2850b2025a2ad9
; source backend/cpu/compiler/numba_functions.py cb9b1c36af3007b22ef3a2021110394a
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/plan/table_layout.py b1d5a4207644d2272747b2908b5c9ccf
; source backend/cpu/runner/checks.py ec2503d1e3e3f9f4e54d967e0f62ca33
; source backend/cpu/runner/watched_slots.py 685ecba62f096f9917eaf69f5be6723e
; source backend/llvm/native_functions.py 8470d6db57a161a1db5405622a6894a3
; ModuleID = 'guardlift_look_again'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


declare i64 @PyLong_AsLongLongAndOverflow(i64, i64) local_unnamed_addr

declare i64 @PyErr_NoMemory() local_unnamed_addr

declare ptr @Py_IncRef(i64) local_unnamed_addr

define i64 @guardlift_look_again(i64 %.1, i64 %.2) local_unnamed_addr {
entry:
  %.152.i.i = alloca i8, align 1
  %.155.i.i = alloca i8, align 1
  %.18.i = alloca [64 x i8], align 64
  %.58.i = alloca i8, align 1
  call void @llvm.lifetime.start.p0(ptr nonnull %.18.i)
  call void @llvm.lifetime.start.p0(ptr nonnull %.58.i)
  %.6.i = add nsw i64 %.1, 16
  %.7.i = inttoptr i64 %.6.i to ptr
  %.9.i = load i64, ptr %.7.i, align 8, !noalias !0
  %.14.i = inttoptr i64 %.9.i to ptr
  %.19.i = ptrtoint ptr %.18.i to i64
  %.24.i = call i64 @PyLong_AsLongLongAndOverflow(i64 %.2, i64 %.19.i), !noalias !0
  %.31.i = load i32, ptr %.18.i, align 64, !noalias !0
  %.33.not.i = icmp ne i32 %.31.i, 0
  %.36.i = icmp slt i64 %.24.i, -1
  %or.cond.i = select i1 %.33.not.i, i1 true, i1 %.36.i
  br i1 %or.cond.i, label %B522.i, label %B214.i

B214.i:                                           ; preds = %entry
  %.39.i = getelementptr i8, ptr %.14.i, i64 296
  %.40.i = load i64, ptr %.39.i, align 8, !noalias !0
  %.42.not.i = icmp slt i64 %.24.i, %.40.i
  br i1 %.42.not.i, label %B276.i, label %B522.i

B276.i:                                           ; preds = %B214.i
  %.52.i = icmp sgt i64 %.24.i, -1
  br i1 %.52.i, label %B288.i, label %B378.i

B288.i:                                           ; preds = %B276.i
  call fastcc void @looked(ptr nonnull %.58.i, i64 %.9.i, i64 %.24.i, i64 %.19.i)
  %.72.i = load i8, ptr %.58.i, align 1, !noalias !0
  %.75.not.i = icmp eq i8 %.72.i, 0
  br i1 %.75.not.i, label %B322.i, label %B522.i

B322.i:                                           ; preds = %B288.i
  %.94.i = call i64 @PyErr_NoMemory(), !noalias !0
  br label %look_again.exit

B378.i:                                           ; preds = %B276.i
  call void @llvm.lifetime.start.p0(ptr nonnull %.155.i.i), !noalias !0
  %.16.i.i = getelementptr i8, ptr %.14.i, i64 360
  %.17.i.i = load i64, ptr %.16.i.i, align 8, !noalias !3
  %.18.i.i = inttoptr i64 %.17.i.i to ptr
  %.20.i.i = load i64, ptr %.18.i.i, align 8, !noalias !3
  %.25.i.i = getelementptr i8, ptr %.14.i, i64 352
  %.26.i.i = load i64, ptr %.25.i.i, align 8, !noalias !3
  %.28.not.i.i = icmp eq i64 %.20.i.i, %.26.i.i
  br i1 %.28.not.i.i, label %B438.i, label %B184.i.i

B184.i.i:                                         ; preds = %B378.i, %B186.i.i
  %.56.0.i.i = phi i64 [ %.127.i.i, %B186.i.i ], [ 0, %B378.i ]
  %exitcond.not.i.i = icmp eq i64 %.56.0.i.i, %.40.i
  br i1 %exitcond.not.i.i, label %B230.i.i, label %B186.i.i

B186.i.i:                                         ; preds = %B184.i.i
  %.127.i.i = add nuw i64 %.56.0.i.i, 1
  call fastcc void @looked(ptr nonnull %.155.i.i, i64 %.9.i, i64 %.56.0.i.i, i64 %.19.i)
  %.169.i.i = load i8, ptr %.155.i.i, align 1, !noalias !3
  %.172.not.i.i = icmp eq i8 %.169.i.i, 0
  br i1 %.172.not.i.i, label %B410.i, label %B184.i.i

B230.i.i:                                         ; preds = %B184.i.i
  store i64 %.20.i.i, ptr %.25.i.i, align 8, !noalias !3
  %.17.i12.pre.i = load i64, ptr %.39.i, align 8, !noalias !6
  br label %B438.i

B410.i:                                           ; preds = %B186.i.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.155.i.i), !noalias !0
  %.140.i = call i64 @PyErr_NoMemory(), !noalias !0
  br label %look_again.exit

B438.i:                                           ; preds = %B230.i.i, %B378.i
  %.17.i12.i = phi i64 [ %.40.i, %B378.i ], [ %.17.i12.pre.i, %B230.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.155.i.i), !noalias !0
  call void @llvm.lifetime.start.p0(ptr nonnull %.152.i.i), !noalias !0
  %.991.not.i.i = icmp slt i64 %.17.i12.i, 1
  br i1 %.991.not.i.i, label %all_as_stored.exit.i, label %B88.lr.ph.i.i

B88.lr.ph.i.i:                                    ; preds = %B438.i
  %.138.i.i = getelementptr i8, ptr %.14.i, i64 304
  %.222.i.i = getelementptr inbounds nuw i8, ptr %.18.i, i64 8
  br label %B88.i.i

B88.i.i:                                          ; preds = %B410.i.i, %B88.lr.ph.i.i
  %.1125.i.i = phi i64 [ 1, %B88.lr.ph.i.i ], [ %.112.i.i, %B410.i.i ]
  %.41.03.i.i = phi i64 [ 0, %B88.lr.ph.i.i ], [ %.1125.i.i, %B410.i.i ]
  %.139.i.i = load i64, ptr %.138.i.i, align 8, !noalias !6
  %.140.i.i = mul nsw i64 %.41.03.i.i, 3
  %.141.i.i = add nsw i64 %.139.i.i, %.140.i.i
  %.142.i.i = shl nsw i64 %.141.i.i, 3
  %.144.i.i = add nsw i64 %.142.i.i, %.9.i
  %.145.i.i = inttoptr i64 %.144.i.i to ptr
  store i8 0, ptr %.152.i.i, align 1, !noalias !6
  call fastcc void @found(ptr nonnull %.152.i.i, i64 %.9.i, i64 %.41.03.i.i, i64 %.19.i)
  %.166.i.i = load i8, ptr %.152.i.i, align 1, !noalias !6
  %.169.i13.i = icmp ne i8 %.166.i.i, 0
  %.194.i.i = getelementptr i8, ptr %.145.i.i, i64 16
  %.195.i.i = load i64, ptr %.194.i.i, align 8, !noalias !6
  %.196.i.i = icmp ne i64 %.195.i.i, 0
  %.198.i.i = xor i1 %.169.i13.i, %.196.i.i
  br i1 %.198.i.i, label %all_as_stored.exit.i, label %B288.i.i

B288.i.i:                                         ; preds = %B88.i.i
  br i1 %.169.i13.i, label %B292.i.i, label %B410.i.i

B292.i.i:                                         ; preds = %B288.i.i
  %.223.i.i = load i64, ptr %.222.i.i, align 8, !noalias !6
  %.225.i.i = getelementptr i8, ptr %.145.i.i, i64 8
  %.226.i.i = load i64, ptr %.225.i.i, align 8, !noalias !6
  %.227.not.i.i = icmp eq i64 %.223.i.i, %.226.i.i
  br i1 %.227.not.i.i, label %B348.i.i, label %all_as_stored.exit.i

B348.i.i:                                         ; preds = %B292.i.i
  %.231.i.i = load i64, ptr %.18.i, align 64, !noalias !6
  %.236.i.i = load i64, ptr %.145.i.i, align 8, !noalias !6
  %.239.not.i.i = icmp eq i64 %.231.i.i, %.236.i.i
  br i1 %.239.not.i.i, label %B410.i.i, label %all_as_stored.exit.i

B410.i.i:                                         ; preds = %B348.i.i, %B288.i.i
  %.112.i.i = add nuw i64 %.1125.i.i, 1
  %exitcond.not.i14.i = icmp eq i64 %.1125.i.i, %.17.i12.i
  br i1 %exitcond.not.i14.i, label %all_as_stored.exit.i, label %B88.i.i

all_as_stored.exit.i: ; preds = %B410.i.i, %B348.i.i, %B292.i.i, %B88.i.i, %B438.i
  %0 = phi i64 [ 40, %B438.i ], [ 24, %B348.i.i ], [ 24, %B88.i.i ], [ 24, %B292.i.i ], [ 40, %B410.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.152.i.i), !noalias !0
  br label %B522.i

B522.i:                                           ; preds = %all_as_stored.exit.i, %B288.i, %B214.i, %entry
  %.sink.i = phi i64 [ %0, %all_as_stored.exit.i ], [ 24, %entry ], [ 24, %B214.i ], [ 40, %B288.i ]
  %storemerge.in.i = getelementptr i8, ptr %.14.i, i64 %.sink.i
  %answer.0.i = load i64, ptr %storemerge.in.i, align 8, !noalias !0
  %.198.i = call ptr @Py_IncRef(i64 %answer.0.i), !noalias !0
  br label %look_again.exit

look_again.exit: ; preds = %B322.i, %B410.i, %B522.i
  %answer.0.sink.i = phi i64 [ %answer.0.i, %B522.i ], [ %.140.i, %B410.i ], [ %.94.i, %B322.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.18.i)
  call void @llvm.lifetime.end.p0(ptr nonnull %.58.i)
  ret i64 %answer.0.sink.i
}

define internal fastcc void @looked(ptr noalias nonnull writeonly captures(none) initializes((0, 1)) %retptr, i64 %arg.address, i64 %arg.number, i64 %arg.spare) unnamed_addr {
B0:
  %.26 = alloca i8, align 1
  %.9 = inttoptr i64 %arg.address to ptr
  %.14 = getelementptr i8, ptr %.9, i64 304
  %.15 = load i64, ptr %.14, align 8
  %.16 = mul nsw i64 %arg.number, 3
  %.17 = add nsw i64 %.15, %.16
  %.18 = shl nsw i64 %.17, 3
  %.19 = add nsw i64 %.18, %arg.address
  %.20 = inttoptr i64 %.19 to ptr
  store i8 0, ptr %.26, align 1
  call fastcc void @found(ptr nonnull %.26, i64 %arg.address, i64 %arg.number, i64 %arg.spare)
  %.40 = load i8, ptr %.26, align 1
  %.43.not = icmp ne i8 %.40, 0
  br i1 %.43.not, label %B158, label %B212

B158:                                             ; preds = %B0
  %.67 = inttoptr i64 %arg.spare to ptr
  %.68 = getelementptr i8, ptr %.67, i64 8
  %.69 = load i64, ptr %.68, align 8
  br label %B212

B212:                                             ; preds = %B0, %B158
  %storemerge = phi i64 [ %.69, %B158 ], [ 0, %B0 ]
  %.84 = getelementptr i8, ptr %.20, i64 8
  %.85 = load i64, ptr %.84, align 8
  %.90.not = icmp eq i64 %.85, 0
  br i1 %.90.not, label %B322, label %B252

B252:                                             ; preds = %B212
  %.93 = getelementptr i8, ptr %.9, i64 336
  %.94 = load i64, ptr %.93, align 8
  %.95.not = icmp eq i64 %.94, 0
  br i1 %.95.not, label %B322, label %B286

B286:                                             ; preds = %B252
  %.10.i = tail call i64 @PyMem_RawMalloc(i64 16), !noalias !9
  %.15.i = icmp eq i64 %.10.i, 0
  br i1 %.15.i, label %common.ret, label %put_aside.exit

put_aside.exit: ; preds = %B286
  %.27.i = getelementptr i8, ptr %.9, i64 344
  %.28.i = load i64, ptr %.27.i, align 8, !noalias !9
  %.30.i = inttoptr i64 %.10.i to ptr
  store i64 %.28.i, ptr %.30.i, align 8, !noalias !9
  %.36.i = getelementptr i8, ptr %.30.i, i64 8
  store i64 %.85, ptr %.36.i, align 8, !noalias !9
  store i64 %.10.i, ptr %.27.i, align 8, !noalias !9
  br label %B322

common.ret:                                       ; preds = %B286, %B620, %B632, %B666
  %storemerge9 = phi i8 [ 1, %B620 ], [ 1, %B666 ], [ 1, %B632 ], [ 0, %B286 ]
  store i8 %storemerge9, ptr %retptr, align 1
  ret void

B322:                                             ; preds = %put_aside.exit, %B252, %B212
  br i1 %.43.not, label %B326, label %B452

B326:                                             ; preds = %B322
  %.152 = inttoptr i64 %arg.spare to ptr
  %.156 = load i64, ptr %.152, align 8
  %.162 = load i64, ptr %.20, align 8
  %.164.not = icmp eq i64 %.156, %.162
  br i1 %.164.not, label %B452, label %B412

B412:                                             ; preds = %B326
  store i64 %.156, ptr %.20, align 8
  %.173 = getelementptr i8, ptr %.9, i64 328
  store i64 1, ptr %.173, align 8
  br label %B452

B452:                                             ; preds = %B412, %B326, %B322
  %.181 = getelementptr i8, ptr %.9, i64 320
  %.182 = load i64, ptr %.181, align 8
  %.184 = getelementptr i8, ptr %.20, i64 16
  %.185 = load i64, ptr %.184, align 8
  %spec.select = sext i1 %.43.not to i64
  %.210 = add i64 %.182, %spec.select
  %.216 = add i64 %.210, %.185
  store i64 %.216, ptr %.181, align 8
  %storemerge3 = zext i1 %.43.not to i64
  store i64 %storemerge3, ptr %.184, align 8
  store i64 %storemerge, ptr %.84, align 8
  %.251.not = icmp eq i64 %storemerge, 0
  br i1 %.251.not, label %B620, label %B590

B590:                                             ; preds = %B452
  %.254 = tail call ptr @Py_IncRef(i64 %storemerge)
  br label %B620

B620:                                             ; preds = %B590, %B452
  br i1 %.90.not, label %common.ret, label %B632

B632:                                             ; preds = %B620
  %.264 = getelementptr i8, ptr %.9, i64 336
  %.265 = load i64, ptr %.264, align 8
  %.268 = icmp eq i64 %.265, 0
  br i1 %.268, label %B666, label %common.ret

B666:                                             ; preds = %B632
  %.271 = tail call ptr @Py_DecRef(i64 %.85)
  br label %common.ret
}

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define internal fastcc void @found(ptr noalias nonnull writeonly captures(none) %retptr, i64 %arg.address, i64 %arg.number, i64 %arg.spare) unnamed_addr #0 {
B0:
  %.10 = inttoptr i64 %arg.address to ptr
  %.11 = getelementptr i8, ptr %.10, i64 312
  %.12 = load i64, ptr %.11, align 8
  %.13 = shl nsw i64 %.12, 3
  %.15 = add nsw i64 %.13, %arg.address
  %.16 = inttoptr i64 %.15 to ptr
  %.17 = getelementptr i64, ptr %.16, i64 %arg.number
  %.18 = load i64, ptr %.17, align 8
  %.19 = shl nsw i64 %.18, 3
  %.21 = add nsw i64 %.19, %arg.address
  %.26 = inttoptr i64 %.21 to ptr
  %.30 = inttoptr i64 %arg.spare to ptr
  %.40 = getelementptr i8, ptr %.10, i64 192
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.30, i8 0, i64 16, i1 false)
  %.41 = load i64, ptr %.40, align 8
  %.42.not = icmp slt i64 %arg.number, %.41
  %0 = getelementptr i8, ptr %.26, i64 8
  %.26.val = load i64, ptr %0, align 8
  %.7.i7 = add nsw i64 %.26.val, 16
  %.8.i8 = inttoptr i64 %.7.i7 to ptr
  %.10.i9 = load i64, ptr %.8.i8, align 8, !noalias !12
  br i1 %.42.not, label %B322, label %B256

B256:                                             ; preds = %B0
  %.15.i = getelementptr i8, ptr %.26, i64 24
  %.16.i = load i64, ptr %.15.i, align 8, !noalias !13
  %.9913.i = icmp sgt i64 %.16.i, 0
  br i1 %.9913.i, label %B112.preheader.i, label %followed.exit

B112.preheader.i:                                 ; preds = %B256
  %.43.215.i = add nsw i64 %.16.i, -1
  %.10.i6 = add nsw i64 %.21, 32
  br label %B112.i

B112.i:                                           ; preds = %B780.i, %B112.preheader.i
  %.43.218.i = phi i64 [ %.43.2.i, %B780.i ], [ %.43.215.i, %B112.preheader.i ]
  %thing.2.017.i = phi i64 [ %thing.3.0.i, %B780.i ], [ %.10.i9, %B112.preheader.i ]
  %position.3.016.i = phi i64 [ %position.4.0.lcssa.i, %B780.i ], [ %.10.i6, %B112.preheader.i ]
  %.138.i = inttoptr i64 %position.3.016.i to ptr
  %.143.i = add nsw i64 %thing.2.017.i, 8
  %.144.i = inttoptr i64 %.143.i to ptr
  %.146.i = load i64, ptr %.144.i, align 8, !noalias !13
  %.149.i = load i64, ptr %.138.i, align 8, !noalias !13
  %.150.not.i = icmp eq i64 %.146.i, %.149.i
  br i1 %.150.not.i, label %B238.i, label %followed.exit

B238.i:                                           ; preds = %B112.i
  %.164.i = add i64 %position.3.016.i, 24
  %.171.i = getelementptr i8, ptr %.138.i, i64 16
  %.172.i = load i64, ptr %.171.i, align 8, !noalias !13
  %.2529.not.i = icmp slt i64 %.172.i, 1
  br i1 %.2529.not.i, label %B658.i, label %B318.preheader.i

B318.preheader.i:                                 ; preds = %B238.i
  %1 = shl i64 %.172.i, 4
  %2 = add i64 %1, %.164.i
  br label %B318.i

B318.i:                                           ; preds = %B646.i, %B318.preheader.i
  %.26112.in.i = phi i64 [ %.26112.i, %B646.i ], [ %.172.i, %B318.preheader.i ]
  %position.4.011.i = phi i64 [ %.375.i, %B646.i ], [ %.164.i, %B318.preheader.i ]
  %.26112.i = add nsw i64 %.26112.in.i, -1
  %.291.i = inttoptr i64 %position.4.011.i to ptr
  %.297.i = load i64, ptr %.291.i, align 8, !noalias !13
  %.298.i = and i64 %.297.i, 1
  %.299.not.i = icmp eq i64 %.298.i, 0
  br i1 %.299.not.i, label %B558.i, label %B382.i

B382.i:                                           ; preds = %B318.i
  %.304.i = and i64 %.297.i, -2
  %.306.i = add nsw i64 %.304.i, %thing.2.017.i
  %.307.i = inttoptr i64 %.306.i to ptr
  %.309.i = load i64, ptr %.307.i, align 8, !noalias !13
  %.314.i = icmp eq i64 %.309.i, 0
  br i1 %.314.i, label %followed.exit, label %B470.i

B470.i:                                           ; preds = %B382.i
  %.317.i = add nsw i64 %.309.i, 8
  %.320.i = inttoptr i64 %.317.i to ptr
  %.322.i = load i64, ptr %.320.i, align 8, !noalias !13
  %.324.i = getelementptr i8, ptr %.291.i, i64 8
  %.325.i = load i64, ptr %.324.i, align 8, !noalias !13
  %.328.i = icmp eq i64 %.322.i, %.325.i
  br i1 %.328.i, label %followed.exit, label %B646.i

B558.i:                                           ; preds = %B318.i
  %.351.i = add nsw i64 %.297.i, %thing.2.017.i
  %.352.i = inttoptr i64 %.351.i to ptr
  %.354.i = load i64, ptr %.352.i, align 8, !noalias !13
  %.356.i = getelementptr i8, ptr %.291.i, i64 8
  %.357.i = load i64, ptr %.356.i, align 8, !noalias !13
  %.360.not.i = icmp eq i64 %.354.i, %.357.i
  br i1 %.360.not.i, label %B646.i, label %followed.exit

B646.i:                                           ; preds = %B558.i, %B470.i
  %.375.i = add nsw i64 %position.4.011.i, 16
  %.252.i = icmp samesign ugt i64 %.26112.in.i, 1
  br i1 %.252.i, label %B318.i, label %B658.i

B658.i:                                           ; preds = %B646.i, %B238.i
  %position.4.0.lcssa.i = phi i64 [ %.164.i, %B238.i ], [ %2, %B646.i ]
  %.388.i = getelementptr i8, ptr %.138.i, i64 8
  %.389.i = load i64, ptr %.388.i, align 8, !noalias !13
  %.390.not.i = icmp eq i64 %.389.i, 0
  br i1 %.390.not.i, label %B780.i, label %B692.i

B692.i:                                           ; preds = %B658.i
  %.398.i = add nsw i64 %.389.i, %thing.2.017.i
  %.401.i = inttoptr i64 %.398.i to ptr
  %.403.i = load i64, ptr %.401.i, align 8, !noalias !13
  %.406.i = icmp eq i64 %.403.i, 0
  br i1 %.406.i, label %followed.exit, label %B780.i

B780.i:                                           ; preds = %B692.i, %B658.i
  %thing.3.0.i = phi i64 [ %thing.2.017.i, %B658.i ], [ %.403.i, %B692.i ]
  %.99.i = icmp sgt i64 %.43.218.i, 0
  %.108.i = sext i1 %.99.i to i64
  %.43.2.i = add nsw i64 %.43.218.i, %.108.i
  br i1 %.99.i, label %B112.i, label %followed.exit

followed.exit: ; preds = %B112.i, %B692.i, %B780.i, %B382.i, %B470.i, %B558.i, %B256
  %thing.2.0.lcssa.sink.i = phi i64 [ %.10.i9, %B256 ], [ 0, %B382.i ], [ 0, %B558.i ], [ 0, %B470.i ], [ 0, %B112.i ], [ %thing.3.0.i, %B780.i ], [ 0, %B692.i ]
  %.106 = icmp ne i64 %thing.2.0.lcssa.sink.i, 0
  %3 = zext i1 %.106 to i8
  br label %common.ret

B322:                                             ; preds = %B0
  %.139 = load i64, ptr %.26, align 8
  %4 = add i64 %.139, %.18
  %5 = shl i64 %4, 3
  %.144 = add i64 %5, %arg.address
  %.15.i.i = getelementptr i8, ptr %.26, i64 24
  %.16.i.i = load i64, ptr %.15.i.i, align 8, !noalias !16
  %.9913.i.i = icmp sgt i64 %.16.i.i, 0
  br i1 %.9913.i.i, label %B112.preheader.i.i, label %followed.exit.i

B112.preheader.i.i:                               ; preds = %B322
  %.43.215.i.i = add nsw i64 %.16.i.i, -1
  %.10.i.i = add nsw i64 %.21, 32
  br label %B112.i.i

B112.i.i:                                         ; preds = %B780.i.i, %B112.preheader.i.i
  %.43.218.i.i = phi i64 [ %.43.2.i.i, %B780.i.i ], [ %.43.215.i.i, %B112.preheader.i.i ]
  %thing.2.017.i.i = phi i64 [ %thing.3.0.i.i, %B780.i.i ], [ %.10.i9, %B112.preheader.i.i ]
  %position.3.016.i.i = phi i64 [ %position.4.0.lcssa.i.i, %B780.i.i ], [ %.10.i.i, %B112.preheader.i.i ]
  %.138.i.i = inttoptr i64 %position.3.016.i.i to ptr
  %.143.i.i = add nsw i64 %thing.2.017.i.i, 8
  %.144.i.i = inttoptr i64 %.143.i.i to ptr
  %.146.i.i = load i64, ptr %.144.i.i, align 8, !noalias !16
  %.149.i.i = load i64, ptr %.138.i.i, align 8, !noalias !16
  %.150.not.i.i = icmp eq i64 %.146.i.i, %.149.i.i
  br i1 %.150.not.i.i, label %B238.i.i, label %common.ret

B238.i.i:                                         ; preds = %B112.i.i
  %.164.i.i = add i64 %position.3.016.i.i, 24
  %.171.i.i = getelementptr i8, ptr %.138.i.i, i64 16
  %.172.i.i = load i64, ptr %.171.i.i, align 8, !noalias !16
  %.2529.not.i.i = icmp slt i64 %.172.i.i, 1
  br i1 %.2529.not.i.i, label %B658.i.i, label %B318.preheader.i.i

B318.preheader.i.i:                               ; preds = %B238.i.i
  %6 = shl i64 %.172.i.i, 4
  %7 = add i64 %6, %.164.i.i
  br label %B318.i.i

B318.i.i:                                         ; preds = %B646.i.i, %B318.preheader.i.i
  %.26112.in.i.i = phi i64 [ %.26112.i.i, %B646.i.i ], [ %.172.i.i, %B318.preheader.i.i ]
  %position.4.011.i.i = phi i64 [ %.375.i.i, %B646.i.i ], [ %.164.i.i, %B318.preheader.i.i ]
  %.26112.i.i = add nsw i64 %.26112.in.i.i, -1
  %.291.i.i = inttoptr i64 %position.4.011.i.i to ptr
  %.297.i.i = load i64, ptr %.291.i.i, align 8, !noalias !16
  %.298.i.i = and i64 %.297.i.i, 1
  %.299.not.i.i = icmp eq i64 %.298.i.i, 0
  br i1 %.299.not.i.i, label %B558.i.i, label %B382.i.i

B382.i.i:                                         ; preds = %B318.i.i
  %.304.i.i = and i64 %.297.i.i, -2
  %.306.i.i = add nsw i64 %.304.i.i, %thing.2.017.i.i
  %.307.i.i = inttoptr i64 %.306.i.i to ptr
  %.309.i.i = load i64, ptr %.307.i.i, align 8, !noalias !16
  %.314.i.i = icmp eq i64 %.309.i.i, 0
  br i1 %.314.i.i, label %common.ret, label %B470.i.i

B470.i.i:                                         ; preds = %B382.i.i
  %.317.i.i = add nsw i64 %.309.i.i, 8
  %.320.i.i = inttoptr i64 %.317.i.i to ptr
  %.322.i.i = load i64, ptr %.320.i.i, align 8, !noalias !16
  %.324.i.i = getelementptr i8, ptr %.291.i.i, i64 8
  %.325.i.i = load i64, ptr %.324.i.i, align 8, !noalias !16
  %.328.i.i = icmp eq i64 %.322.i.i, %.325.i.i
  br i1 %.328.i.i, label %common.ret, label %B646.i.i

B558.i.i:                                         ; preds = %B318.i.i
  %.351.i.i = add nsw i64 %.297.i.i, %thing.2.017.i.i
  %.352.i.i = inttoptr i64 %.351.i.i to ptr
  %.354.i.i = load i64, ptr %.352.i.i, align 8, !noalias !16
  %.356.i.i = getelementptr i8, ptr %.291.i.i, i64 8
  %.357.i.i = load i64, ptr %.356.i.i, align 8, !noalias !16
  %.360.not.i.i = icmp eq i64 %.354.i.i, %.357.i.i
  br i1 %.360.not.i.i, label %B646.i.i, label %common.ret

B646.i.i:                                         ; preds = %B558.i.i, %B470.i.i
  %.375.i.i = add nsw i64 %position.4.011.i.i, 16
  %.252.i.i = icmp samesign ugt i64 %.26112.in.i.i, 1
  br i1 %.252.i.i, label %B318.i.i, label %B658.i.i

B658.i.i:                                         ; preds = %B646.i.i, %B238.i.i
  %position.4.0.lcssa.i.i = phi i64 [ %.164.i.i, %B238.i.i ], [ %7, %B646.i.i ]
  %.388.i.i = getelementptr i8, ptr %.138.i.i, i64 8
  %.389.i.i = load i64, ptr %.388.i.i, align 8, !noalias !16
  %.390.not.i.i = icmp eq i64 %.389.i.i, 0
  br i1 %.390.not.i.i, label %B780.i.i, label %B692.i.i

B692.i.i:                                         ; preds = %B658.i.i
  %.398.i.i = add nsw i64 %.389.i.i, %thing.2.017.i.i
  %.401.i.i = inttoptr i64 %.398.i.i to ptr
  %.403.i.i = load i64, ptr %.401.i.i, align 8, !noalias !16
  %.406.i.i = icmp eq i64 %.403.i.i, 0
  br i1 %.406.i.i, label %common.ret, label %B780.i.i

B780.i.i:                                         ; preds = %B692.i.i, %B658.i.i
  %thing.3.0.i.i = phi i64 [ %thing.2.017.i.i, %B658.i.i ], [ %.403.i.i, %B692.i.i ]
  %.99.i.i = icmp sgt i64 %.43.218.i.i, 0
  %.108.i.i = sext i1 %.99.i.i to i64
  %.43.2.i.i = add nsw i64 %.43.218.i.i, %.108.i.i
  br i1 %.99.i.i, label %B112.i.i, label %followed.exit.i

followed.exit.i: ; preds = %B780.i.i, %B322
  %thing.2.0.lcssa.sink.i.i = phi i64 [ %.10.i9, %B322 ], [ %thing.3.0.i.i, %B780.i.i ]
  %.46.i = inttoptr i64 %.144 to ptr
  %.51.i = icmp eq i64 %thing.2.0.lcssa.sink.i.i, 0
  br i1 %.51.i, label %common.ret, label %B78.i

B78.i:                                            ; preds = %followed.exit.i
  %.54.i = add nsw i64 %thing.2.0.lcssa.sink.i.i, 8
  %.55.i = inttoptr i64 %.54.i to ptr
  %.57.i = load i64, ptr %.55.i, align 8, !noalias !21
  %.59.i = getelementptr i8, ptr %.46.i, i64 16
  %.60.i = load i64, ptr %.59.i, align 8, !noalias !21
  %.61.not.i = icmp eq i64 %.57.i, %.60.i
  br i1 %.61.not.i, label %B170.i, label %common.ret

B170.i:                                           ; preds = %B78.i
  %.80.i = getelementptr i8, ptr %.26, i64 16
  %.81.i = load i64, ptr %.80.i, align 8, !noalias !21
  %.84.i = getelementptr i64, ptr %.30, i64 %.81.i
  store i64 %thing.2.0.lcssa.sink.i.i, ptr %.84.i, align 8, !noalias !21
  %.11.i.i.i = add nsw i64 %thing.2.0.lcssa.sink.i.i, 64
  %.12.i.i.i = inttoptr i64 %.11.i.i.i to ptr
  %.14.i.i.i = load i32, ptr %.12.i.i.i, align 4, !noalias !22
  %.19.i.i.i = getelementptr i8, ptr %.46.i, i64 56
  %.20.i.i.i = load i64, ptr %.19.i.i.i, align 8, !noalias !22
  %.22.i.i.i = sext i32 %.14.i.i.i to i64
  %.23.i.i.i = and i64 %.20.i.i.i, %.22.i.i.i
  %.24.not.i.i.i = icmp eq i64 %.23.i.i.i, %.20.i.i.i
  br i1 %.24.not.i.i.i, label %B106.i.i.i, label %common.ret

B106.i.i.i:                                       ; preds = %B170.i
  %.27.i.i.i = getelementptr i8, ptr %.46.i, i64 64
  %.28.i.i.i = load i64, ptr %.27.i.i.i, align 8, !noalias !22
  %.31.i.i.i = and i64 %.28.i.i.i, %.22.i.i.i
  %.34.not.i.i.i = icmp eq i64 %.31.i.i.i, 0
  br i1 %.34.not.i.i.i, label %B150.i.i.i, label %common.ret

B150.i.i.i:                                       ; preds = %B106.i.i.i
  %.46.i.i.i = add nsw i64 %thing.2.0.lcssa.sink.i.i, 56
  %.47.i.i.i = inttoptr i64 %.46.i.i.i to ptr
  %.49.i.i.i = load i64, ptr %.47.i.i.i, align 8, !noalias !22
  %.54.i.i.i = getelementptr i8, ptr %.46.i, i64 32
  %.55.i.i.i = load i64, ptr %.54.i.i.i, align 8, !noalias !22
  %.57.not.i.i.i = icmp eq i64 %.49.i.i.i, %.55.i.i.i
  br i1 %.57.not.i.i.i, label %B426.i.i.i, label %B242.i.i.i

B242.i.i.i:                                       ; preds = %B150.i.i.i
  %.60.i.i.i = add nsw i64 %.49.i.i.i, 28
  %.61.i.i.i = inttoptr i64 %.60.i.i.i to ptr
  %.63.i.i.i = load i32, ptr %.61.i.i.i, align 4, !noalias !22
  %.65.i.i.i = getelementptr i8, ptr %.46.i, i64 40
  %.66.i.i.i = load i64, ptr %.65.i.i.i, align 8, !noalias !22
  %.67.i.i.i = sext i32 %.63.i.i.i to i64
  %.68.not.i.i.i = icmp eq i64 %.66.i.i.i, %.67.i.i.i
  br i1 %.68.not.i.i.i, label %B334.i.i.i, label %common.ret

B334.i.i.i:                                       ; preds = %B242.i.i.i
  %.80.i.i.i = add nsw i64 %.49.i.i.i, 26
  %.83.i.i.i = inttoptr i64 %.80.i.i.i to ptr
  %.85.i.i.i = load i8, ptr %.83.i.i.i, align 1, !noalias !22
  %.87.i.i.i = getelementptr i8, ptr %.46.i, i64 48
  %.88.i.i.i = load i64, ptr %.87.i.i.i, align 8, !noalias !22
  %.89.i.i.i = zext i8 %.85.i.i.i to i64
  %.90.not.i.i.i = icmp eq i64 %.88.i.i.i, %.89.i.i.i
  br i1 %.90.not.i.i.i, label %B426.i.i.i, label %common.ret

B426.i.i.i:                                       ; preds = %B334.i.i.i, %B150.i.i.i
  %.102.i.i.i = getelementptr i8, ptr %.46.i, i64 72
  %.103.i.i.i = load i64, ptr %.102.i.i.i, align 8, !noalias !22
  %.108.i.i.i = add nsw i64 %thing.2.0.lcssa.sink.i.i, 24
  %.109.i.i.i = inttoptr i64 %.108.i.i.i to ptr
  %.111.i.i.i = load i32, ptr %.109.i.i.i, align 4, !noalias !22
  %.113.i.i.i = sext i32 %.111.i.i.i to i64
  %.114.not.i.i.i = icmp eq i64 %.103.i.i.i, %.113.i.i.i
  br i1 %.114.not.i.i.i, label %B522.i.i.i, label %common.ret

B522.i.i.i:                                       ; preds = %B426.i.i.i
  %.126.i.i.i = add nsw i64 %thing.2.0.lcssa.sink.i.i, 32
  %.127.i.i.i = inttoptr i64 %.126.i.i.i to ptr
  %.129.i.i.i = load i64, ptr %.127.i.i.i, align 8, !noalias !22
  %.130.i.i.i = inttoptr i64 %.129.i.i.i to ptr
  %.135.i.i.i = add nsw i64 %thing.2.0.lcssa.sink.i.i, 40
  %.138.i.i.i = inttoptr i64 %.135.i.i.i to ptr
  %.140.i.i.i = load i64, ptr %.138.i.i.i, align 8, !noalias !22
  %.141.i.i.i = inttoptr i64 %.140.i.i.i to ptr
  %spec.select.i.i.i = tail call i64 @llvm.smax.i64(i64 %.103.i.i.i, i64 0)
  br label %B720.i.i.i

B720.i.i.i:                                       ; preds = %B788.i.i.i, %B522.i.i.i
  %.171.0.i.i.i = phi i64 [ 0, %B522.i.i.i ], [ %.242.i.i.i, %B788.i.i.i ]
  %.242.i.i.i = add nuw i64 %.171.0.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i64 %.171.0.i.i.i, %spec.select.i.i.i
  br i1 %exitcond.not.i.i.i, label %B40.i.i, label %B722.i.i.i

B722.i.i.i:                                       ; preds = %B720.i.i.i
  %.272.i.i.i = getelementptr i64, ptr %.130.i.i.i, i64 %.171.0.i.i.i
  %.273.i.i.i = load i64, ptr %.272.i.i.i, align 8, !noalias !22
  %.idx.i.i.i = shl i64 %.171.0.i.i.i, 4
  %8 = getelementptr i8, ptr %.46.i, i64 %.idx.i.i.i
  %.278.i.i.i = getelementptr i8, ptr %8, i64 120
  %.279.i.i.i = load i64, ptr %.278.i.i.i, align 8, !noalias !22
  %.280.not.i.i.i = icmp eq i64 %.273.i.i.i, %.279.i.i.i
  br i1 %.280.not.i.i.i, label %B788.i.i.i, label %common.ret

B788.i.i.i:                                       ; preds = %B722.i.i.i
  %.300.i.i.i = getelementptr i8, ptr %8, i64 128
  %.301.i.i.i = load i64, ptr %.300.i.i.i, align 8, !noalias !22
  %.307.i.i.i = getelementptr i64, ptr %.141.i.i.i, i64 %.171.0.i.i.i
  %.308.i.i.i = load i64, ptr %.307.i.i.i, align 8, !noalias !22
  %.312.not.i.i.i = icmp eq i64 %.301.i.i.i, %.308.i.i.i
  %.315.not.i.i.i = icmp eq i64 %.301.i.i.i, -4611686018427387904
  %or.cond.i.i.i = or i1 %.315.not.i.i.i, %.312.not.i.i.i
  br i1 %or.cond.i.i.i, label %B720.i.i.i, label %common.ret

B40.i.i:                                          ; preds = %B720.i.i.i
  %.67.i.i = add nsw i64 %thing.2.0.lcssa.sink.i.i, 16
  %.70.i.i = inttoptr i64 %.67.i.i to ptr
  %.72.i.i = load i64, ptr %.70.i.i, align 8, !noalias !27
  %.77.i.i = getelementptr i8, ptr %.46.i, i64 24
  %.78.i.i = load i64, ptr %.77.i.i, align 8, !noalias !27
  %.81.i.i = getelementptr i64, ptr %.30, i64 %.78.i.i
  store i64 %.72.i.i, ptr %.81.i.i, align 8, !noalias !27
  %.86.i.i = getelementptr i8, ptr %.46.i, i64 80
  %.87.i.i = load i64, ptr %.86.i.i, align 8, !noalias !27
  %.88.i.i = icmp eq i64 %.87.i.i, 0
  br i1 %.88.i.i, label %common.ret, label %B178.i.i

B178.i.i:                                         ; preds = %B40.i.i
  %.100.i.i = getelementptr i8, ptr %.46.i, i64 88
  %.101.i.i = load i64, ptr %.100.i.i, align 8, !noalias !27
  %.103.i.i = add nsw i64 %.101.i.i, %.72.i.i
  %.105.i.i = getelementptr i8, ptr %.46.i, i64 96
  %.106.i.i = load i64, ptr %.105.i.i, align 8, !noalias !27
  %.108.i2.i = add nsw i64 %.106.i.i, %.72.i.i
  %.118.i.i = getelementptr i8, ptr %.46.i, i64 104
  %.119.i.i = load i64, ptr %.118.i.i, align 8, !noalias !27
  %.121.not.i.i = icmp sgt i64 %.119.i.i, %.103.i.i
  br i1 %.121.not.i.i, label %B314.i.i, label %B276.i.i

B276.i.i:                                         ; preds = %B178.i.i
  %.124.i.i = getelementptr i8, ptr %.46.i, i64 112
  %.125.i.i = load i64, ptr %.124.i.i, align 8, !noalias !27
  %.127.not.i.i = icmp sgt i64 %.108.i2.i, %.125.i.i
  br i1 %.127.not.i.i, label %B314.i.i, label %common.ret

B314.i.i:                                         ; preds = %B276.i.i, %B178.i.i
  %.24.i.i.i = icmp eq i64 %.87.i.i, 1
  %count.0.in.v.i.i.i = select i1 %.24.i.i.i, i64 176, i64 160
  %count.0.in.i.i.i = getelementptr i8, ptr %.10, i64 %count.0.in.v.i.i.i
  %storemerge1.in.v.i.i.i = select i1 %.24.i.i.i, i64 168, i64 152
  %storemerge1.in.i.i.i = getelementptr i8, ptr %.10, i64 %storemerge1.in.v.i.i.i
  %count.0.i.i.i = load i64, ptr %count.0.in.i.i.i, align 8, !noalias !28
  %storemerge1.i.i.i = load i64, ptr %storemerge1.in.i.i.i, align 8, !noalias !28
  %.84.i.i.i = shl nsw i64 %storemerge1.i.i.i, 3
  %.90.i.i.i = add nsw i64 %.84.i.i.i, %arg.address
  %.93.i.i.i = inttoptr i64 %.90.i.i.i to ptr
  %.109.i4.i.i = icmp sgt i64 %count.0.i.i.i, 0
  br i1 %.109.i4.i.i, label %B248.i.i.i, label %B328.i.i.i

B248.i.i.i:                                       ; preds = %B314.i.i, %B248.i.i.i
  %end.2.0.i.i.i = phi i64 [ %end.3.0.i.i.i, %B248.i.i.i ], [ %count.0.i.i.i, %B314.i.i ]
  %first.2.0.i.i.i = phi i64 [ %first.3.0.i.i.i, %B248.i.i.i ], [ 0, %B314.i.i ]
  %.118.i.i.i = add nuw nsw i64 %first.2.0.i.i.i, %end.2.0.i.i.i
  %.119.i.i.i = lshr i64 %.118.i.i.i, 1
  %.125.i.i.i = or i64 %.118.i.i.i, 1
  %.127.i6.i.i = getelementptr i64, ptr %.93.i.i.i, i64 %.125.i.i.i
  %.128.i.i.i = load i64, ptr %.127.i6.i.i, align 8, !noalias !28
  %.130.not.i.i.i = icmp sgt i64 %.128.i.i.i, %.103.i.i
  %.141.i7.i.i = add nuw nsw i64 %.119.i.i.i, 1
  %end.3.0.i.i.i = select i1 %.130.not.i.i.i, i64 %.119.i.i.i, i64 %end.2.0.i.i.i
  %first.3.0.i.i.i = select i1 %.130.not.i.i.i, i64 %first.2.0.i.i.i, i64 %.141.i7.i.i
  %.172.i.i.i = icmp slt i64 %first.3.0.i.i.i, %end.3.0.i.i.i
  br i1 %.172.i.i.i, label %B248.i.i.i, label %B328.i.i.i

B328.i.i.i:                                       ; preds = %B248.i.i.i, %B314.i.i
  %first.4.0.i.i.i = phi i64 [ 0, %B314.i.i ], [ %first.3.0.i.i.i, %B248.i.i.i ]
  %.191.i.i.i = icmp slt i64 %first.4.0.i.i.i, %count.0.i.i.i
  br i1 %.191.i.i.i, label %B340.i.i.i, label %B374.i.i.i

B340.i.i.i:                                       ; preds = %B328.i.i.i
  %.196.idx.i.i.i = shl i64 %first.4.0.i.i.i, 4
  %.196.i.i.i = getelementptr i8, ptr %.93.i.i.i, i64 %.196.idx.i.i.i
  %.197.i.i.i = load i64, ptr %.196.i.i.i, align 8, !noalias !28
  %.199.i.i.i = icmp slt i64 %.197.i.i.i, %.108.i2.i
  br i1 %.199.i.i.i, label %common.ret, label %B374.i.i.i

B374.i.i.i:                                       ; preds = %B340.i.i.i, %B328.i.i.i
  %.217.i.i.i = icmp sgt i64 %first.4.0.i.i.i, 0
  br i1 %.217.i.i.i, label %B386.i.i.i, label %B416.i.i.i

B386.i.i.i:                                       ; preds = %B374.i.i.i
  %.idx.i5.i.i = shl i64 %first.4.0.i.i.i, 4
  %9 = getelementptr i8, ptr %.93.i.i.i, i64 %.idx.i5.i.i
  %.223.i.i.i = getelementptr i8, ptr %9, i64 -8
  %.224.i.i.i = load i64, ptr %.223.i.i.i, align 8, !noalias !28
  br label %B416.i.i.i

B416.i.i.i:                                       ; preds = %B386.i.i.i, %B374.i.i.i
  %storemerge2.i.i.i = phi i64 [ %.224.i.i.i, %B386.i.i.i ], [ 0, %B374.i.i.i ]
  store i64 %storemerge2.i.i.i, ptr %.118.i.i, align 8, !noalias !28
  br i1 %.191.i.i.i, label %B446.i.i.i, label %B480.i.i.i

B446.i.i.i:                                       ; preds = %B416.i.i.i
  %.249.idx.i.i.i = shl i64 %first.4.0.i.i.i, 4
  %.249.i.i.i = getelementptr i8, ptr %.93.i.i.i, i64 %.249.idx.i.i.i
  %.250.i.i.i = load i64, ptr %.249.i.i.i, align 8, !noalias !28
  br label %B480.i.i.i

B480.i.i.i:                                       ; preds = %B446.i.i.i, %B416.i.i.i
  %storemerge3.i.i.i = phi i64 [ %.250.i.i.i, %B446.i.i.i ], [ 4611686018427387904, %B416.i.i.i ]
  %.266.i.i.i = getelementptr i8, ptr %.46.i, i64 112
  store i64 %storemerge3.i.i.i, ptr %.266.i.i.i, align 8, !noalias !28
  br label %common.ret

common.ret:                                       ; preds = %B692.i.i, %B112.i.i, %B558.i.i, %B470.i.i, %B382.i.i, %B788.i.i.i, %B722.i.i.i, %B480.i.i.i, %B340.i.i.i, %B276.i.i, %B40.i.i, %B426.i.i.i, %B334.i.i.i, %B242.i.i.i, %B106.i.i.i, %B170.i, %B78.i, %followed.exit.i, %followed.exit
  %storemerge.in = phi i8 [ %3, %followed.exit ], [ 0, %B242.i.i.i ], [ 0, %followed.exit.i ], [ 0, %B78.i ], [ 0, %B334.i.i.i ], [ 0, %B170.i ], [ 0, %B558.i.i ], [ 0, %B788.i.i.i ], [ 1, %B276.i.i ], [ 1, %B40.i.i ], [ 0, %B106.i.i.i ], [ 1, %B480.i.i.i ], [ 0, %B340.i.i.i ], [ 0, %B426.i.i.i ], [ 0, %B722.i.i.i ], [ 0, %B382.i.i ], [ 0, %B470.i.i ], [ 0, %B112.i.i ], [ 0, %B692.i.i ]
  store i8 %storemerge.in, ptr %retptr, align 1
  ret void
}

declare ptr @Py_DecRef(i64) local_unnamed_addr

declare i64 @PyMem_RawMalloc(i64) local_unnamed_addr

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #3

attributes #0 = { nofree norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"look_again: %retptr"}
!2 = distinct !{!2, !"look_again"}
!3 = !{!4, !1}
!4 = distinct !{!4, !5, !"all_looked: %retptr"}
!5 = distinct !{!5, !"all_looked"}
!6 = !{!7, !1}
!7 = distinct !{!7, !8, !"all_as_stored: %retptr"}
!8 = distinct !{!8, !"all_as_stored"}
!9 = !{!10}
!10 = distinct !{!10, !11, !"put_aside: %retptr"}
!11 = distinct !{!11, !"put_aside"}
!12 = !{}
!13 = !{!14}
!14 = distinct !{!14, !15, !"followed: %retptr"}
!15 = distinct !{!15, !"followed"}
!16 = !{!17, !19}
!17 = distinct !{!17, !18, !"followed: %retptr"}
!18 = distinct !{!18, !"followed"}
!19 = distinct !{!19, !20, !"followed_bound: %retptr"}
!20 = distinct !{!20, !"followed_bound"}
!21 = !{!19}
!22 = !{!23, !25, !19}
!23 = distinct !{!23, !24, !"array_matches: %retptr"}
!24 = distinct !{!24, !"array_matches"}
!25 = distinct !{!25, !26, !"array_bound: %retptr"}
!26 = distinct !{!26, !"array_bound"}
!27 = !{!25, !19}
!28 = !{!29, !25, !19}
!29 = distinct !{!29, !30, !"meets_lifted: %retptr"}
!30 = distinct !{!30, !"meets_lifted"}
