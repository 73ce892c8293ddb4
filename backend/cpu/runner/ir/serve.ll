; digest cec2d975a0f023a08fd7fd96686b8255
; The program guardlift_serve of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py 593aaea976605c17dc2850b2025a2ad9
; source backend/cpu/compiler/numba_functions.py cb9b1c36af3007b22ef3a2021110394a
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/plan/table_layout.py 3f61ca304bae75cf4881a006da2f613d
; source backend/cpu/runner/checks.py ec2503d1e3e3f9f4e54d967e0f62ca33
; source backend/cpu/runner/team.py 48d7ce6476b57c20ca996f6d52865189
; source backend/llvm/native_functions.py 8470d6db57a161a1db5405622a6894a3
; ModuleID = 'guardlift_serve'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


define noundef i64 @guardlift_serve(ptr readonly captures(none) %.1) local_unnamed_addr {
entry:
  %.93.i.i.i = alloca [1024 x i8], align 64
  %.4.i.i = alloca [128 x i8], align 64
  call void @llvm.lifetime.start.p0(ptr nonnull %.4.i.i), !noalias !0
  %.5.i.i = ptrtoint ptr %.4.i.i to i64
  %.10.i.i = call i32 @sigfillset(i64 %.5.i.i), !noalias !3
  %.111.i.i = call i32 @sigdelset(i64 %.5.i.i, i32 11), !noalias !3
  %.111.1.i.i = call i32 @sigdelset(i64 %.5.i.i, i32 7), !noalias !3
  %.111.2.i.i = call i32 @sigdelset(i64 %.5.i.i, i32 8), !noalias !3
  %.111.3.i.i = call i32 @sigdelset(i64 %.5.i.i, i32 4), !noalias !3
  %.111.4.i.i = call i32 @sigdelset(i64 %.5.i.i, i32 6), !noalias !3
  %.111.5.i.i = call i32 @sigdelset(i64 %.5.i.i, i32 5), !noalias !3
  %.119.i.i = call i32 @pthread_sigmask(i32 0, i64 %.5.i.i, i64 0), !noalias !3
  call void @llvm.lifetime.end.p0(ptr nonnull %.4.i.i), !noalias !0
  %.33.i = load i64, ptr %.1, align 8, !noalias !0
  %.43.i = inttoptr i64 %.33.i to ptr
  %.44.i = load atomic i64, ptr %.43.i seq_cst, align 8, !noalias !0
  %.46.i = icmp eq i64 %.44.i, %.33.i
  br i1 %.46.i, label %B122.preheader.i, label %serve.exit

B122.preheader.i:                                 ; preds = %entry
  %.15.i.i = add nsw i64 %.33.i, 16
  %.16.i.i = inttoptr i64 %.15.i.i to ptr
  %.49.i.i = add nsw i64 %.33.i, 24
  %.50.i.i = inttoptr i64 %.49.i.i to ptr
  %.62.i.i = add nsw i64 %.33.i, 128
  %.9.i.i = add nsw i64 %.33.i, 64
  %.14.i.i = inttoptr i64 %.9.i.i to ptr
  %.28.i.i = add nsw i64 %.33.i, 208
  %.29.i.i = inttoptr i64 %.28.i.i to ptr
  %.116.i = add nsw i64 %.33.i, 200
  %.117.i = inttoptr i64 %.116.i to ptr
  %.94.i.i.i = ptrtoint ptr %.93.i.i.i to i64
  br label %B122.i

B122.i:                                           ; preds = %B316.i, %B122.preheader.i
  %served.0.i = phi i64 [ %ticket.2.0.i.i, %B316.i ], [ 0, %B122.preheader.i ]
  %.17.i.i = load atomic i64, ptr %.16.i.i seq_cst, align 8, !noalias !6
  %.22.i.i = icmp eq i64 %.17.i.i, %served.0.i
  br i1 %.22.i.i, label %B72.i.i, label %next_ticket.exit.i

B72.i.i:                                          ; preds = %B122.i, %B422.i.i
  %looks.2.0.i.i = phi i64 [ %.30.i.i, %B422.i.i ], [ 0, %B122.i ]
  %.30.i.i = add nuw nsw i64 %looks.2.0.i.i, 1
  %.37.i.i = icmp samesign ult i64 %looks.2.0.i.i, 1999
  br i1 %.37.i.i, label %B104.i.i, label %B134.i.i

B104.i.i:                                         ; preds = %B72.i.i
  call void @llvm.x86.sse2.pause(), !noalias !6
  br label %B422.i.i

B134.i.i:                                         ; preds = %B72.i.i
  %.43.i.i = icmp samesign ult i64 %looks.2.0.i.i, 2999
  br i1 %.43.i.i, label %B172.i.i, label %B202.i.i

B172.i.i:                                         ; preds = %B134.i.i
  %.45.i.i = call i32 @sched_yield(), !noalias !6
  br label %B422.i.i

B202.i.i:                                         ; preds = %B134.i.i
  %.51.i.i = atomicrmw add ptr %.50.i.i, i64 1 seq_cst, align 8, !noalias !6
  %.56.i.i = load atomic i64, ptr %.16.i.i seq_cst, align 8, !noalias !6
  %.58.i.i = icmp eq i64 %.56.i.i, %served.0.i
  br i1 %.58.i.i, label %B316.i.i, label %B368.i.i

B316.i.i:                                         ; preds = %B202.i.i
  %.63.i.i = call i32 @sem_wait(i64 %.62.i.i), !noalias !6
  br label %B368.i.i

B368.i.i:                                         ; preds = %B316.i.i, %B202.i.i
  %.69.i.i = atomicrmw add ptr %.50.i.i, i64 -1 seq_cst, align 8, !noalias !6
  br label %B422.i.i

B422.i.i:                                         ; preds = %B368.i.i, %B172.i.i, %B104.i.i
  %.80.i.i = load atomic i64, ptr %.16.i.i seq_cst, align 8, !noalias !6
  %.84.i.i = icmp eq i64 %.80.i.i, %served.0.i
  br i1 %.84.i.i, label %B72.i.i, label %next_ticket.exit.i

next_ticket.exit.i: ; preds = %B422.i.i, %B122.i
  %ticket.2.0.i.i = phi i64 [ %.17.i.i, %B122.i ], [ %.80.i.i, %B422.i.i ]
  %.15.i14.i = load atomic i64, ptr %.14.i.i seq_cst, align 8, !noalias !9
  %.20.i.i = icmp sgt i64 %.15.i14.i, 4294967295
  br i1 %.20.i.i, label %B86.i.i, label %B316.i

B86.i.i:                                          ; preds = %next_ticket.exit.i
  %.30.i15.i = load atomic i64, ptr %.29.i.i seq_cst, align 8, !noalias !9
  %.32.i.i = icmp slt i64 %.15.i14.i, %.30.i15.i
  br i1 %.32.i.i, label %B150.i.i, label %B316.i

B150.i.i:                                         ; preds = %B86.i.i, %B250.i.i
  %inside.2.0.i.i = phi i64 [ %.74.i.i, %B250.i.i ], [ %.15.i14.i, %B86.i.i ]
  %.56.i16.i = add nuw nsw i64 %inside.2.0.i.i, 1
  %.60.i.i = cmpxchg ptr %.14.i.i, i64 %inside.2.0.i.i, i64 %.56.i16.i seq_cst seq_cst, align 8, !noalias !9
  %.61.i.i = extractvalue { i64, i1 } %.60.i.i, 1
  br i1 %.61.i.i, label %B184.i, label %B194.i.i

B194.i.i:                                         ; preds = %B150.i.i
  %.74.i.i = load atomic i64, ptr %.14.i.i seq_cst, align 8, !noalias !9
  %.79.i.i = icmp sgt i64 %.74.i.i, 4294967295
  br i1 %.79.i.i, label %B250.i.i, label %B316.i

B250.i.i:                                         ; preds = %B194.i.i
  %.94.i.i = load atomic i64, ptr %.29.i.i seq_cst, align 8, !noalias !9
  %.96.i.i = icmp slt i64 %.74.i.i, %.94.i.i
  br i1 %.96.i.i, label %B150.i.i, label %B316.i

B184.i:                                           ; preds = %B150.i.i
  %.118.i = load atomic i64, ptr %.117.i seq_cst, align 8, !noalias !0
  %.8.i.i = inttoptr i64 %.118.i to ptr
  %.16.i17.i = atomicrmw add ptr %.8.i.i, i64 1 seq_cst, align 8, !noalias !12
  %.21.i.i = getelementptr i8, ptr %.8.i.i, i64 16
  %.22.i18.i = load i64, ptr %.21.i.i, align 8, !noalias !12
  %.24.i.i = icmp slt i64 %.16.i17.i, %.22.i18.i
  br i1 %.24.i.i, label %B122.i.i, label %work.exit.i

B122.i.i:                                         ; preds = %B184.i
  %.31.i.i = getelementptr i8, ptr %.8.i.i, i64 104
  %.32.i19.i = load i64, ptr %.31.i.i, align 8, !noalias !12
  %.33.i.i = icmp eq i64 %.32.i19.i, 0
  %.pre.i.i = add nsw i64 %.118.i, 8
  %.pre8.i.i = inttoptr i64 %.pre.i.i to ptr
  br i1 %.33.i.i, label %B216.preheader.i.i, label %B156.i.i

B156.i.i:                                         ; preds = %B122.i.i
  %.44.i.i = load atomic i64, ptr %.pre8.i.i seq_cst, align 8, !noalias !12
  %.45.i20.i = icmp eq i64 %.44.i.i, 0
  br i1 %.45.i20.i, label %B216.preheader.i.i, label %work.exit.i

B216.preheader.i.i:                               ; preds = %B156.i.i, %B122.i.i
  %.50.i21.i = getelementptr i8, ptr %.8.i.i, i64 64
  %.9.i.i.i = getelementptr i8, ptr %.8.i.i, i64 56
  %.13.i7.i.i = getelementptr i8, ptr %.8.i.i, i64 80
  %.42.i.i.i = getelementptr i8, ptr %.8.i.i, i64 48
  %.88.i.i.i = getelementptr i8, ptr %.8.i.i, i64 72
  %.168.i.i.i = getelementptr i8, ptr %.8.i.i, i64 88
  %.172.i.i.i = getelementptr i8, ptr %.8.i.i, i64 96
  %.226.i.i.i = getelementptr i8, ptr %.8.i.i, i64 24
  %.229.i.i.i = getelementptr i8, ptr %.8.i.i, i64 32
  %.46.i.i.i = getelementptr i8, ptr %.8.i.i, i64 40
  br label %B216.i.i

B216.i.i:                                         ; preds = %B216.i.i.backedge, %B216.preheader.i.i
  %chunk.2.0.i.i = phi i64 [ %.16.i17.i, %B216.preheader.i.i ], [ %.145.i.i, %B216.i.i.backedge ]
  %.51.i22.i = load i64, ptr %.50.i21.i, align 8, !noalias !12
  %.52.i.i = icmp eq i64 %.51.i22.i, 0
  br i1 %.52.i.i, label %B250.i23.i, label %B282.i.i

B250.i23.i:                                       ; preds = %B216.i.i
  %.7.i.i.i = load i64, ptr %.9.i.i.i, align 8, !noalias !15
  %.8.i.i.i = mul nsw i64 %.7.i.i.i, %chunk.2.0.i.i
  %.11.i.i.i = add nsw i64 %.8.i.i.i, %.7.i.i.i
  %.13.i.i.i = load i64, ptr %.42.i.i.i, align 8, !noalias !15
  %.11.i.i.i.i = call i64 @llvm.smin.i64(i64 %.13.i.i.i, i64 %.11.i.i.i)
  %.45.i.i.i = load i64, ptr %.226.i.i.i, align 8, !noalias !15
  %.47.i.i.i = load i64, ptr %.46.i.i.i, align 8, !noalias !15
  %.49.i.i.i = load i64, ptr %.229.i.i.i, align 8, !noalias !15
  %.50.i.i.i = inttoptr i64 %.45.i.i.i to ptr
  %.51.i.i.i = call i64 %.50.i.i.i(i64 %.47.i.i.i, i64 %.49.i.i.i, i64 %.8.i.i.i, i64 %.11.i.i.i.i), !noalias !15
  br label %B312.i.i

B282.i.i:                                         ; preds = %B216.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %.93.i.i.i), !noalias !12
  %.10.i.i.i = load i64, ptr %.9.i.i.i, align 8, !noalias !18
  %.11.i6.i.i = mul nsw i64 %.10.i.i.i, %chunk.2.0.i.i
  %.14.i.i.i = load i64, ptr %.13.i7.i.i, align 8, !noalias !18
  %.15.i.i.i = inttoptr i64 %.14.i.i.i to ptr
  %.17.idx.i.i.i = shl i64 %.11.i6.i.i, 4
  %.17.i.i.i = getelementptr i8, ptr %.15.i.i.i, i64 %.17.idx.i.i.i
  %.18.i.i.i = load i64, ptr %.17.i.i.i, align 8, !noalias !18
  %.21.i.i.i = getelementptr i8, ptr %.17.i.i.i, i64 8
  %.22.i.i.i = load i64, ptr %.21.i.i.i, align 8, !noalias !18
  %.40.i.i.i = add nsw i64 %.11.i6.i.i, %.10.i.i.i
  %.43.i.i.i = load i64, ptr %.42.i.i.i, align 8, !noalias !18
  %.11.i.i8.i.i = call i64 @llvm.smin.i64(i64 %.43.i.i.i, i64 %.40.i.i.i)
  %.75.idx.i.i.i = shl i64 %.11.i.i8.i.i, 4
  %.75.i.i.i = getelementptr i8, ptr %.15.i.i.i, i64 %.75.idx.i.i.i
  %.76.i.i.i = load i64, ptr %.75.i.i.i, align 8, !noalias !18
  %.79.i.i.i = getelementptr i8, ptr %.75.i.i.i, i64 8
  %.80.i.i.i = load i64, ptr %.79.i.i.i, align 8, !noalias !18
  %.80.fr.i.i.i = freeze i64 %.80.i.i.i
  %.89.i.i.i = load i64, ptr %.88.i.i.i, align 8, !noalias !18
  %.107.i.i.i = icmp slt i64 %.18.i.i.i, %.76.i.i.i
  br i1 %.107.i.i.i, label %B364.preheader.i.i.i, label %B340.i.i.i

B340.i.i.i:                                       ; preds = %B282.i.i
  %.121.i.i.i = icmp eq i64 %.18.i.i.i, %.76.i.i.i
  %.141.i.i.i = icmp slt i64 %.22.i.i.i, %.80.fr.i.i.i
  %or.cond.i.i.i = select i1 %.121.i.i.i, i1 %.141.i.i.i, i1 false
  br i1 %or.cond.i.i.i, label %B364.preheader.i.i.i, label %run_rows.exit.i.i

B364.preheader.i.i.i:                             ; preds = %B340.i.i.i, %B282.i.i
  %.159.i.i.i = shl i64 %.89.i.i.i, 4
  %.160.i.i.i = or disjoint i64 %.159.i.i.i, 8
  %.1021.not.i.i.i.i = icmp slt i64 %.89.i.i.i, 1
  %.270.i.i.i = icmp sgt i64 %.80.fr.i.i.i, 0
  br i1 %.1021.not.i.i.i.i, label %B364.preheader.split.us.i.i.i, label %B364.preheader.split.i.i.i

B364.preheader.split.us.i.i.i:                    ; preds = %B364.preheader.i.i.i
  %.204.us.peel.i.i.i = icmp eq i64 %.18.i.i.i, %.76.i.i.i
  br i1 %.270.i.i.i, label %B364.us.preheader.i.i.i, label %B364.us.us.preheader.i.i.i

B364.us.us.preheader.i.i.i:                       ; preds = %B364.preheader.split.us.i.i.i
  br i1 %.204.us.peel.i.i.i, label %B610.us.us.peel.i.i.i, label %B570.us.us.peel.i.i.i

B570.us.us.peel.i.i.i:                            ; preds = %B364.us.us.preheader.i.i.i
  %.161.us.us.peel.i.i.i = mul i64 %.160.i.i.i, %.18.i.i.i
  %.162.us.us.peel.i.i.i = add nsw i64 %.161.us.us.peel.i.i.i, %.51.i22.i
  %.13.i.us.us.peel.i.i.i = inttoptr i64 %.162.us.us.peel.i.i.i to ptr
  %.218.us.us.peel.i.i.i = load i64, ptr %.13.i.us.us.peel.i.i.i, align 8, !noalias !18
  br label %B610.us.us.peel.i.i.i

B610.us.us.peel.i.i.i:                            ; preds = %B570.us.us.peel.i.i.i, %B364.us.us.preheader.i.i.i
  %storemerge.us.us.peel.i.i.i = phi i64 [ %.218.us.us.peel.i.i.i, %B570.us.us.peel.i.i.i ], [ %.80.fr.i.i.i, %B364.us.us.preheader.i.i.i ]
  %.227.us.us.peel.i.i.i = load i64, ptr %.226.i.i.i, align 8, !noalias !18
  %.230.us.us.peel.i.i.i = load i64, ptr %.229.i.i.i, align 8, !noalias !18
  %.233.us.us.peel.i.i.i = inttoptr i64 %.227.us.us.peel.i.i.i to ptr
  %.234.us.us.peel.i.i.i = call i64 %.233.us.us.peel.i.i.i(i64 %.94.i.i.i, i64 %.230.us.us.peel.i.i.i, i64 %.22.i.i.i, i64 %storemerge.us.us.peel.i.i.i), !noalias !18
  %.245.us.us.peel.i.i.i = add nsw i64 %.18.i.i.i, 1
  %.256.us.us.peel.i.i.i = icmp slt i64 %.245.us.us.peel.i.i.i, %.76.i.i.i
  br i1 %.256.us.us.peel.i.i.i, label %B610.us.us.i.i.i, label %run_rows.exit.i.i

B364.us.preheader.i.i.i:                          ; preds = %B364.preheader.split.us.i.i.i
  br i1 %.204.us.peel.i.i.i, label %B610.us.peel.i.i.i, label %B570.us.peel.i.i.i

B570.us.peel.i.i.i:                               ; preds = %B364.us.preheader.i.i.i
  %.161.us.peel.i.i.i = mul i64 %.160.i.i.i, %.18.i.i.i
  %.162.us.peel.i.i.i = add nsw i64 %.161.us.peel.i.i.i, %.51.i22.i
  %.13.i.us.peel.i.i.i = inttoptr i64 %.162.us.peel.i.i.i to ptr
  %.218.us.peel.i.i.i = load i64, ptr %.13.i.us.peel.i.i.i, align 8, !noalias !18
  br label %B610.us.peel.i.i.i

B610.us.peel.i.i.i:                               ; preds = %B570.us.peel.i.i.i, %B364.us.preheader.i.i.i
  %storemerge.us.peel.i.i.i = phi i64 [ %.218.us.peel.i.i.i, %B570.us.peel.i.i.i ], [ %.80.fr.i.i.i, %B364.us.preheader.i.i.i ]
  %.227.us.peel.i.i.i = load i64, ptr %.226.i.i.i, align 8, !noalias !18
  %.230.us.peel.i.i.i = load i64, ptr %.229.i.i.i, align 8, !noalias !18
  %.233.us.peel.i.i.i = inttoptr i64 %.227.us.peel.i.i.i to ptr
  %.234.us.peel.i.i.i = call i64 %.233.us.peel.i.i.i(i64 %.94.i.i.i, i64 %.230.us.peel.i.i.i, i64 %.22.i.i.i, i64 %storemerge.us.peel.i.i.i), !noalias !18
  br i1 %.107.i.i.i, label %B364.us.i.i.i, label %run_rows.exit.i.i

B610.us.us.i.i.i:                                 ; preds = %B610.us.us.peel.i.i.i, %B610.us.us.i.i.i
  %row.2.0.us.us.i.i.i = phi i64 [ %.245.us.us.i.i.i, %B610.us.us.i.i.i ], [ %.245.us.us.peel.i.i.i, %B610.us.us.peel.i.i.i ]
  %status.2.0.us.us.i.i.i = phi i64 [ %.238.us.us.i.i.i, %B610.us.us.i.i.i ], [ %.234.us.us.peel.i.i.i, %B610.us.us.peel.i.i.i ]
  %.155.us.us.i.i.i = load i64, ptr %.50.i21.i, align 8, !noalias !18
  %.161.us.us.i.i.i = mul i64 %row.2.0.us.us.i.i.i, %.160.i.i.i
  %.162.us.us.i.i.i = add nsw i64 %.155.us.us.i.i.i, %.161.us.us.i.i.i
  %.13.i.us.us.i.i.i = inttoptr i64 %.162.us.us.i.i.i to ptr
  %.218.us.us.i.i.i = load i64, ptr %.13.i.us.us.i.i.i, align 8, !noalias !18
  %.227.us.us.i.i.i = load i64, ptr %.226.i.i.i, align 8, !noalias !18
  %.230.us.us.i.i.i = load i64, ptr %.229.i.i.i, align 8, !noalias !18
  %.233.us.us.i.i.i = inttoptr i64 %.227.us.us.i.i.i to ptr
  %.234.us.us.i.i.i = call i64 %.233.us.us.i.i.i(i64 %.94.i.i.i, i64 %.230.us.us.i.i.i, i64 0, i64 %.218.us.us.i.i.i), !noalias !18
  %.238.us.us.i.i.i = or i64 %.234.us.us.i.i.i, %status.2.0.us.us.i.i.i
  %.245.us.us.i.i.i = add i64 %row.2.0.us.us.i.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %.245.us.us.i.i.i, %.76.i.i.i
  br i1 %exitcond.not.i.i, label %run_rows.exit.i.i, label %B610.us.us.i.i.i, !llvm.loop !21

B364.us.i.i.i:                                    ; preds = %B610.us.peel.i.i.i, %B610.us.i.i.i
  %row.2.0.us.in.i.i.i = phi i64 [ %row.2.0.us.i.i.i, %B610.us.i.i.i ], [ %.18.i.i.i, %B610.us.peel.i.i.i ]
  %status.2.0.us.i.i.i = phi i64 [ %.238.us.i.i.i, %B610.us.i.i.i ], [ %.234.us.peel.i.i.i, %B610.us.peel.i.i.i ]
  %row.2.0.us.i.i.i = add nsw i64 %row.2.0.us.in.i.i.i, 1
  %.204.us.i.i.i = icmp eq i64 %row.2.0.us.i.i.i, %.76.i.i.i
  br i1 %.204.us.i.i.i, label %B610.us.i.i.i, label %B570.us.i.i.i

B570.us.i.i.i:                                    ; preds = %B364.us.i.i.i
  %.155.us.i.i.i = load i64, ptr %.50.i21.i, align 8, !noalias !18
  %.161.us.i.i.i = mul i64 %row.2.0.us.i.i.i, %.160.i.i.i
  %.162.us.i.i.i = add nsw i64 %.155.us.i.i.i, %.161.us.i.i.i
  %.13.i.us.i.i.i = inttoptr i64 %.162.us.i.i.i to ptr
  %.218.us.i.i.i = load i64, ptr %.13.i.us.i.i.i, align 8, !noalias !18
  br label %B610.us.i.i.i

B610.us.i.i.i:                                    ; preds = %B570.us.i.i.i, %B364.us.i.i.i
  %storemerge.us.i.i.i = phi i64 [ %.218.us.i.i.i, %B570.us.i.i.i ], [ %.80.fr.i.i.i, %B364.us.i.i.i ]
  %.227.us.i.i.i = load i64, ptr %.226.i.i.i, align 8, !noalias !18
  %.230.us.i.i.i = load i64, ptr %.229.i.i.i, align 8, !noalias !18
  %.233.us.i.i.i = inttoptr i64 %.227.us.i.i.i to ptr
  %.234.us.i.i.i = call i64 %.233.us.i.i.i(i64 %.94.i.i.i, i64 %.230.us.i.i.i, i64 0, i64 %storemerge.us.i.i.i), !noalias !18
  %.238.us.i.i.i = or i64 %.234.us.i.i.i, %status.2.0.us.i.i.i
  br i1 %.204.us.i.i.i, label %run_rows.exit.i.i, label %B364.us.i.i.i, !llvm.loop !23

B364.preheader.split.i.i.i:                       ; preds = %B364.preheader.i.i.i
  br i1 %.270.i.i.i, label %B364.i.i.i.preheader, label %B364.us1.i.i.i.preheader

B364.us1.i.i.i.preheader:                         ; preds = %B364.preheader.split.i.i.i
  %xtraiter = and i64 %.89.i.i.i, 1
  %0 = icmp eq i64 %.89.i.i.i, 1
  %unroll_iter = and i64 %.89.i.i.i, 9223372036854775806
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  %lcmp.mod16 = icmp ne i64 %xtraiter, 0
  br label %B364.us1.i.i.i

B364.i.i.i.preheader:                             ; preds = %B364.preheader.split.i.i.i
  %xtraiter17 = and i64 %.89.i.i.i, 1
  %1 = icmp eq i64 %.89.i.i.i, 1
  %unroll_iter20 = and i64 %.89.i.i.i, 9223372036854775806
  %lcmp.mod18.not = icmp eq i64 %xtraiter17, 0
  %lcmp.mod19 = icmp ne i64 %xtraiter17, 0
  br label %B364.i.i.i

B364.us1.i.i.i:                                   ; preds = %B364.us1.i.i.i.preheader, %B610.us15.i.i.i
  %element.2.0.us2.i.i.i = phi i64 [ 0, %B610.us15.i.i.i ], [ %.22.i.i.i, %B364.us1.i.i.i.preheader ]
  %row.2.0.us3.i.i.i = phi i64 [ %.245.us22.i.i.i, %B610.us15.i.i.i ], [ %.18.i.i.i, %B364.us1.i.i.i.preheader ]
  %status.2.0.us4.i.i.i = phi i64 [ %.238.us21.i.i.i, %B610.us15.i.i.i ], [ 0, %B364.us1.i.i.i.preheader ]
  %.155.us5.i.i.i = load i64, ptr %.50.i21.i, align 8, !noalias !18
  %.161.us6.i.i.i = mul i64 %row.2.0.us3.i.i.i, %.160.i.i.i
  %.162.us7.i.i.i = add nsw i64 %.155.us5.i.i.i, %.161.us6.i.i.i
  %.169.us8.i.i.i = load i64, ptr %.168.i.i.i, align 8, !noalias !18
  %.170.us9.i.i.i = inttoptr i64 %.169.us8.i.i.i to ptr
  %.173.us10.i.i.i = load i64, ptr %.172.i.i.i, align 8, !noalias !18
  %.174.us11.i.i.i = inttoptr i64 %.173.us10.i.i.i to ptr
  %.13.i.us12.i.i.i = inttoptr i64 %.162.us7.i.i.i to ptr
  br i1 %0, label %B96.i.us.i.i.i.epil.preheader, label %B96.i.us.i.i.i

B96.i.us.i.i.i:                                   ; preds = %B364.us1.i.i.i, %B96.i.us.i.i.i
  %.44.02.i.us.i.i.i = phi i64 [ %.115.i.us.i.i.i.1, %B96.i.us.i.i.i ], [ 0, %B364.us1.i.i.i ]
  %niter = phi i64 [ %niter.next.1, %B96.i.us.i.i.i ], [ 0, %B364.us1.i.i.i ]
  %.115.i.us.i.i.i = or disjoint i64 %.44.02.i.us.i.i.i, 1
  %.idx.i.us.i.i.i = shl i64 %.44.02.i.us.i.i.i, 4
  %2 = getelementptr i8, ptr %.13.i.us12.i.i.i, i64 %.idx.i.us.i.i.i
  %.144.i.us.i.i.i = getelementptr i8, ptr %2, i64 8
  %.145.i.us.i.i.i = load i64, ptr %.144.i.us.i.i.i, align 8, !noalias !24
  %.33.i.i.us.i.i.i = sub i64 0, %.145.i.us.i.i.i
  %.37.i.i.us.i.i.i = getelementptr i64, ptr %.174.us11.i.i.i, i64 %.33.i.i.us.i.i.i
  %.20.i.i.us.i.i.i = getelementptr i64, ptr %.170.us9.i.i.i, i64 %.145.i.us.i.i.i
  %.141.i.i.us.i.i.i = icmp slt i64 %.145.i.us.i.i.i, 0
  %storemerge.in.i.i.us.i.i.i = select i1 %.141.i.i.us.i.i.i, ptr %.37.i.i.us.i.i.i, ptr %.20.i.i.us.i.i.i
  %storemerge.i.i.us.i.i.i = load i64, ptr %storemerge.in.i.i.us.i.i.i, align 8, !noalias !27
  %.175.i.us.i.i.i = getelementptr i8, ptr %2, i64 16
  %.176.i.us.i.i.i = load i64, ptr %.175.i.us.i.i.i, align 8, !noalias !24
  %.177.i.us.i.i.i = add nsw i64 %.176.i.us.i.i.i, %storemerge.i.i.us.i.i.i
  %.179.i.us.i.i.i = getelementptr i64, ptr %.93.i.i.i, i64 %.44.02.i.us.i.i.i
  store i64 %.177.i.us.i.i.i, ptr %.179.i.us.i.i.i, align 16, !noalias !24
  %.115.i.us.i.i.i.1 = add nuw nsw i64 %.44.02.i.us.i.i.i, 2
  %.idx.i.us.i.i.i.1 = shl i64 %.115.i.us.i.i.i, 4
  %3 = getelementptr i8, ptr %.13.i.us12.i.i.i, i64 %.idx.i.us.i.i.i.1
  %.144.i.us.i.i.i.1 = getelementptr i8, ptr %3, i64 8
  %.145.i.us.i.i.i.1 = load i64, ptr %.144.i.us.i.i.i.1, align 8, !noalias !24
  %.33.i.i.us.i.i.i.1 = sub i64 0, %.145.i.us.i.i.i.1
  %.37.i.i.us.i.i.i.1 = getelementptr i64, ptr %.174.us11.i.i.i, i64 %.33.i.i.us.i.i.i.1
  %.20.i.i.us.i.i.i.1 = getelementptr i64, ptr %.170.us9.i.i.i, i64 %.145.i.us.i.i.i.1
  %.141.i.i.us.i.i.i.1 = icmp slt i64 %.145.i.us.i.i.i.1, 0
  %storemerge.in.i.i.us.i.i.i.1 = select i1 %.141.i.i.us.i.i.i.1, ptr %.37.i.i.us.i.i.i.1, ptr %.20.i.i.us.i.i.i.1
  %storemerge.i.i.us.i.i.i.1 = load i64, ptr %storemerge.in.i.i.us.i.i.i.1, align 8, !noalias !27
  %.175.i.us.i.i.i.1 = getelementptr i8, ptr %3, i64 16
  %.176.i.us.i.i.i.1 = load i64, ptr %.175.i.us.i.i.i.1, align 8, !noalias !24
  %.177.i.us.i.i.i.1 = add nsw i64 %.176.i.us.i.i.i.1, %storemerge.i.i.us.i.i.i.1
  %.179.i.us.i.i.i.1 = getelementptr i64, ptr %.93.i.i.i, i64 %.115.i.us.i.i.i
  store i64 %.177.i.us.i.i.i.1, ptr %.179.i.us.i.i.i.1, align 8, !noalias !24
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %bind_row.exit.loopexit.us.i.i.i.unr-lcssa, label %B96.i.us.i.i.i

B570.us13.i.i.i:                                  ; preds = %bind_row.exit.loopexit.us.i.i.i
  %.218.us14.i.i.i = load i64, ptr %.13.i.us12.i.i.i, align 8, !noalias !18
  br label %B610.us15.i.i.i

B610.us15.i.i.i:                                  ; preds = %bind_row.exit.loopexit.us.i.i.i, %B570.us13.i.i.i
  %storemerge.us16.i.i.i = phi i64 [ %.218.us14.i.i.i, %B570.us13.i.i.i ], [ %.80.fr.i.i.i, %bind_row.exit.loopexit.us.i.i.i ]
  %.227.us17.i.i.i = load i64, ptr %.226.i.i.i, align 8, !noalias !18
  %.230.us18.i.i.i = load i64, ptr %.229.i.i.i, align 8, !noalias !18
  %.233.us19.i.i.i = inttoptr i64 %.227.us17.i.i.i to ptr
  %.234.us20.i.i.i = call i64 %.233.us19.i.i.i(i64 %.94.i.i.i, i64 %.230.us18.i.i.i, i64 %element.2.0.us2.i.i.i, i64 %storemerge.us16.i.i.i), !noalias !18
  %.238.us21.i.i.i = or i64 %.234.us20.i.i.i, %status.2.0.us4.i.i.i
  %.245.us22.i.i.i = add nsw i64 %row.2.0.us3.i.i.i, 1
  %.256.us23.i.i.i = icmp slt i64 %.245.us22.i.i.i, %.76.i.i.i
  br i1 %.256.us23.i.i.i, label %B364.us1.i.i.i, label %run_rows.exit.i.i

bind_row.exit.loopexit.us.i.i.i.unr-lcssa: ; preds = %B96.i.us.i.i.i
  br i1 %lcmp.mod.not, label %bind_row.exit.loopexit.us.i.i.i, label %B96.i.us.i.i.i.epil.preheader

B96.i.us.i.i.i.epil.preheader:                    ; preds = %bind_row.exit.loopexit.us.i.i.i.unr-lcssa, %B364.us1.i.i.i
  %.44.02.i.us.i.i.i.epil.init = phi i64 [ 0, %B364.us1.i.i.i ], [ %.115.i.us.i.i.i.1, %bind_row.exit.loopexit.us.i.i.i.unr-lcssa ]
  call void @llvm.assume(i1 %lcmp.mod16)
  %.idx.i.us.i.i.i.epil = shl i64 %.44.02.i.us.i.i.i.epil.init, 4
  %4 = getelementptr i8, ptr %.13.i.us12.i.i.i, i64 %.idx.i.us.i.i.i.epil
  %.144.i.us.i.i.i.epil = getelementptr i8, ptr %4, i64 8
  %.145.i.us.i.i.i.epil = load i64, ptr %.144.i.us.i.i.i.epil, align 8, !noalias !24
  %.33.i.i.us.i.i.i.epil = sub i64 0, %.145.i.us.i.i.i.epil
  %.37.i.i.us.i.i.i.epil = getelementptr i64, ptr %.174.us11.i.i.i, i64 %.33.i.i.us.i.i.i.epil
  %.20.i.i.us.i.i.i.epil = getelementptr i64, ptr %.170.us9.i.i.i, i64 %.145.i.us.i.i.i.epil
  %.141.i.i.us.i.i.i.epil = icmp slt i64 %.145.i.us.i.i.i.epil, 0
  %storemerge.in.i.i.us.i.i.i.epil = select i1 %.141.i.i.us.i.i.i.epil, ptr %.37.i.i.us.i.i.i.epil, ptr %.20.i.i.us.i.i.i.epil
  %storemerge.i.i.us.i.i.i.epil = load i64, ptr %storemerge.in.i.i.us.i.i.i.epil, align 8, !noalias !27
  %.175.i.us.i.i.i.epil = getelementptr i8, ptr %4, i64 16
  %.176.i.us.i.i.i.epil = load i64, ptr %.175.i.us.i.i.i.epil, align 8, !noalias !24
  %.177.i.us.i.i.i.epil = add nsw i64 %.176.i.us.i.i.i.epil, %storemerge.i.i.us.i.i.i.epil
  %.179.i.us.i.i.i.epil = getelementptr i64, ptr %.93.i.i.i, i64 %.44.02.i.us.i.i.i.epil.init
  store i64 %.177.i.us.i.i.i.epil, ptr %.179.i.us.i.i.i.epil, align 8, !noalias !24
  br label %bind_row.exit.loopexit.us.i.i.i

bind_row.exit.loopexit.us.i.i.i: ; preds = %bind_row.exit.loopexit.us.i.i.i.unr-lcssa, %B96.i.us.i.i.i.epil.preheader
  %.204.us28.i.i.i = icmp eq i64 %row.2.0.us3.i.i.i, %.76.i.i.i
  br i1 %.204.us28.i.i.i, label %B610.us15.i.i.i, label %B570.us13.i.i.i

B364.i.i.i:                                       ; preds = %B364.i.i.i.preheader, %B610.i.i.i
  %element.2.0.i.i.i = phi i64 [ 0, %B610.i.i.i ], [ %.22.i.i.i, %B364.i.i.i.preheader ]
  %row.2.0.i.i.i = phi i64 [ %.245.i.i.i, %B610.i.i.i ], [ %.18.i.i.i, %B364.i.i.i.preheader ]
  %status.2.0.i.i.i = phi i64 [ %.238.i.i.i, %B610.i.i.i ], [ 0, %B364.i.i.i.preheader ]
  %.155.i.i.i = load i64, ptr %.50.i21.i, align 8, !noalias !18
  %.161.i.i.i = mul i64 %row.2.0.i.i.i, %.160.i.i.i
  %.162.i.i.i = add nsw i64 %.155.i.i.i, %.161.i.i.i
  %.169.i.i.i = load i64, ptr %.168.i.i.i, align 8, !noalias !18
  %.170.i.i.i = inttoptr i64 %.169.i.i.i to ptr
  %.173.i.i.i = load i64, ptr %.172.i.i.i, align 8, !noalias !18
  %.174.i.i.i = inttoptr i64 %.173.i.i.i to ptr
  %.13.i.i.i.i = inttoptr i64 %.162.i.i.i to ptr
  br i1 %1, label %B96.i.i.i.i.epil.preheader, label %B96.i.i.i.i

B96.i.i.i.i:                                      ; preds = %B364.i.i.i, %B96.i.i.i.i
  %.44.02.i.i.i.i = phi i64 [ %.115.i.i.i.i.1, %B96.i.i.i.i ], [ 0, %B364.i.i.i ]
  %niter21 = phi i64 [ %niter21.next.1, %B96.i.i.i.i ], [ 0, %B364.i.i.i ]
  %.115.i.i.i.i = or disjoint i64 %.44.02.i.i.i.i, 1
  %.idx.i.i.i.i = shl i64 %.44.02.i.i.i.i, 4
  %5 = getelementptr i8, ptr %.13.i.i.i.i, i64 %.idx.i.i.i.i
  %.144.i.i.i.i = getelementptr i8, ptr %5, i64 8
  %.145.i.i.i.i = load i64, ptr %.144.i.i.i.i, align 8, !noalias !24
  %.33.i.i.i.i.i = sub i64 0, %.145.i.i.i.i
  %.37.i.i.i.i.i = getelementptr i64, ptr %.174.i.i.i, i64 %.33.i.i.i.i.i
  %.20.i.i.i.i.i = getelementptr i64, ptr %.170.i.i.i, i64 %.145.i.i.i.i
  %.141.i.i.i.i.i = icmp slt i64 %.145.i.i.i.i, 0
  %storemerge.in.i.i.i.i.i = select i1 %.141.i.i.i.i.i, ptr %.37.i.i.i.i.i, ptr %.20.i.i.i.i.i
  %storemerge.i.i.i.i.i = load i64, ptr %storemerge.in.i.i.i.i.i, align 8, !noalias !27
  %.175.i.i.i.i = getelementptr i8, ptr %5, i64 16
  %.176.i.i.i.i = load i64, ptr %.175.i.i.i.i, align 8, !noalias !24
  %.177.i.i.i.i = add nsw i64 %.176.i.i.i.i, %storemerge.i.i.i.i.i
  %.179.i.i.i.i = getelementptr i64, ptr %.93.i.i.i, i64 %.44.02.i.i.i.i
  store i64 %.177.i.i.i.i, ptr %.179.i.i.i.i, align 16, !noalias !24
  %.115.i.i.i.i.1 = add nuw nsw i64 %.44.02.i.i.i.i, 2
  %.idx.i.i.i.i.1 = shl i64 %.115.i.i.i.i, 4
  %6 = getelementptr i8, ptr %.13.i.i.i.i, i64 %.idx.i.i.i.i.1
  %.144.i.i.i.i.1 = getelementptr i8, ptr %6, i64 8
  %.145.i.i.i.i.1 = load i64, ptr %.144.i.i.i.i.1, align 8, !noalias !24
  %.33.i.i.i.i.i.1 = sub i64 0, %.145.i.i.i.i.1
  %.37.i.i.i.i.i.1 = getelementptr i64, ptr %.174.i.i.i, i64 %.33.i.i.i.i.i.1
  %.20.i.i.i.i.i.1 = getelementptr i64, ptr %.170.i.i.i, i64 %.145.i.i.i.i.1
  %.141.i.i.i.i.i.1 = icmp slt i64 %.145.i.i.i.i.1, 0
  %storemerge.in.i.i.i.i.i.1 = select i1 %.141.i.i.i.i.i.1, ptr %.37.i.i.i.i.i.1, ptr %.20.i.i.i.i.i.1
  %storemerge.i.i.i.i.i.1 = load i64, ptr %storemerge.in.i.i.i.i.i.1, align 8, !noalias !27
  %.175.i.i.i.i.1 = getelementptr i8, ptr %6, i64 16
  %.176.i.i.i.i.1 = load i64, ptr %.175.i.i.i.i.1, align 8, !noalias !24
  %.177.i.i.i.i.1 = add nsw i64 %.176.i.i.i.i.1, %storemerge.i.i.i.i.i.1
  %.179.i.i.i.i.1 = getelementptr i64, ptr %.93.i.i.i, i64 %.115.i.i.i.i
  store i64 %.177.i.i.i.i.1, ptr %.179.i.i.i.i.1, align 8, !noalias !24
  %niter21.next.1 = add i64 %niter21, 2
  %niter21.ncmp.1 = icmp eq i64 %niter21.next.1, %unroll_iter20
  br i1 %niter21.ncmp.1, label %bind_row.exit.loopexit.i.i.i.unr-lcssa, label %B96.i.i.i.i

bind_row.exit.loopexit.i.i.i.unr-lcssa: ; preds = %B96.i.i.i.i
  br i1 %lcmp.mod18.not, label %bind_row.exit.loopexit.i.i.i, label %B96.i.i.i.i.epil.preheader

B96.i.i.i.i.epil.preheader:                       ; preds = %bind_row.exit.loopexit.i.i.i.unr-lcssa, %B364.i.i.i
  %.44.02.i.i.i.i.epil.init = phi i64 [ 0, %B364.i.i.i ], [ %.115.i.i.i.i.1, %bind_row.exit.loopexit.i.i.i.unr-lcssa ]
  call void @llvm.assume(i1 %lcmp.mod19)
  %.idx.i.i.i.i.epil = shl i64 %.44.02.i.i.i.i.epil.init, 4
  %7 = getelementptr i8, ptr %.13.i.i.i.i, i64 %.idx.i.i.i.i.epil
  %.144.i.i.i.i.epil = getelementptr i8, ptr %7, i64 8
  %.145.i.i.i.i.epil = load i64, ptr %.144.i.i.i.i.epil, align 8, !noalias !24
  %.33.i.i.i.i.i.epil = sub i64 0, %.145.i.i.i.i.epil
  %.37.i.i.i.i.i.epil = getelementptr i64, ptr %.174.i.i.i, i64 %.33.i.i.i.i.i.epil
  %.20.i.i.i.i.i.epil = getelementptr i64, ptr %.170.i.i.i, i64 %.145.i.i.i.i.epil
  %.141.i.i.i.i.i.epil = icmp slt i64 %.145.i.i.i.i.epil, 0
  %storemerge.in.i.i.i.i.i.epil = select i1 %.141.i.i.i.i.i.epil, ptr %.37.i.i.i.i.i.epil, ptr %.20.i.i.i.i.i.epil
  %storemerge.i.i.i.i.i.epil = load i64, ptr %storemerge.in.i.i.i.i.i.epil, align 8, !noalias !27
  %.175.i.i.i.i.epil = getelementptr i8, ptr %7, i64 16
  %.176.i.i.i.i.epil = load i64, ptr %.175.i.i.i.i.epil, align 8, !noalias !24
  %.177.i.i.i.i.epil = add nsw i64 %.176.i.i.i.i.epil, %storemerge.i.i.i.i.i.epil
  %.179.i.i.i.i.epil = getelementptr i64, ptr %.93.i.i.i, i64 %.44.02.i.i.i.i.epil.init
  store i64 %.177.i.i.i.i.epil, ptr %.179.i.i.i.i.epil, align 8, !noalias !24
  br label %bind_row.exit.loopexit.i.i.i

bind_row.exit.loopexit.i.i.i: ; preds = %bind_row.exit.loopexit.i.i.i.unr-lcssa, %B96.i.i.i.i.epil.preheader
  %.204.i.i.i = icmp eq i64 %row.2.0.i.i.i, %.76.i.i.i
  br i1 %.204.i.i.i, label %B610.i.i.i, label %B570.i.i.i

B570.i.i.i:                                       ; preds = %bind_row.exit.loopexit.i.i.i
  %.218.i.i.i = load i64, ptr %.13.i.i.i.i, align 8, !noalias !18
  br label %B610.i.i.i

B610.i.i.i:                                       ; preds = %B570.i.i.i, %bind_row.exit.loopexit.i.i.i
  %storemerge.i.i.i = phi i64 [ %.218.i.i.i, %B570.i.i.i ], [ %.80.fr.i.i.i, %bind_row.exit.loopexit.i.i.i ]
  %.227.i.i.i = load i64, ptr %.226.i.i.i, align 8, !noalias !18
  %.230.i.i.i = load i64, ptr %.229.i.i.i, align 8, !noalias !18
  %.233.i.i.i = inttoptr i64 %.227.i.i.i to ptr
  %.234.i.i.i = call i64 %.233.i.i.i(i64 %.94.i.i.i, i64 %.230.i.i.i, i64 %element.2.0.i.i.i, i64 %storemerge.i.i.i), !noalias !18
  %.238.i.i.i = or i64 %.234.i.i.i, %status.2.0.i.i.i
  %.245.i.i.i = add nsw i64 %row.2.0.i.i.i, 1
  %or.cond34.not.not.i.i.i = icmp slt i64 %row.2.0.i.i.i, %.76.i.i.i
  br i1 %or.cond34.not.not.i.i.i, label %B364.i.i.i, label %run_rows.exit.i.i

run_rows.exit.i.i: ; preds = %B610.us15.i.i.i, %B610.i.i.i, %B610.us.us.i.i.i, %B610.us.i.i.i, %B610.us.peel.i.i.i, %B610.us.us.peel.i.i.i, %B340.i.i.i
  %status.3.0.i.i.i = phi i64 [ 0, %B340.i.i.i ], [ %.238.us.i.i.i, %B610.us.i.i.i ], [ %.238.i.i.i, %B610.i.i.i ], [ %.238.us.us.i.i.i, %B610.us.us.i.i.i ], [ %.234.us.peel.i.i.i, %B610.us.peel.i.i.i ], [ %.234.us.us.peel.i.i.i, %B610.us.us.peel.i.i.i ], [ %.238.us21.i.i.i, %B610.us15.i.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.93.i.i.i), !noalias !12
  br label %B312.i.i

B312.i.i:                                         ; preds = %run_rows.exit.i.i, %B250.i23.i
  %storemerge.in.sroa.speculated.i.i = phi i64 [ %.51.i.i.i, %B250.i23.i ], [ %status.3.0.i.i.i, %run_rows.exit.i.i ]
  %.128.not.i.i = icmp eq i64 %storemerge.in.sroa.speculated.i.i, 0
  br i1 %.128.not.i.i, label %B380.i.i, label %B326.i.i

B326.i.i:                                         ; preds = %B312.i.i
  %.135.i.i = atomicrmw or ptr %.pre8.i.i, i64 %storemerge.in.sroa.speculated.i.i seq_cst, align 8, !noalias !12
  br label %B380.i.i

B380.i.i:                                         ; preds = %B326.i.i, %B312.i.i
  %.145.i.i = atomicrmw add ptr %.8.i.i, i64 1 seq_cst, align 8, !noalias !12
  %.151.i.i = load i64, ptr %.21.i.i, align 8, !noalias !12
  %.153.i.i = icmp slt i64 %.145.i.i, %.151.i.i
  br i1 %.153.i.i, label %B468.i.i, label %work.exit.i

B468.i.i:                                         ; preds = %B380.i.i
  %.157.i.i = load i64, ptr %.31.i.i, align 8, !noalias !12
  %.158.i.i = icmp eq i64 %.157.i.i, 0
  br i1 %.158.i.i, label %B216.i.i.backedge, label %B502.i.i

B502.i.i:                                         ; preds = %B468.i.i
  %.164.i.i = load atomic i64, ptr %.pre8.i.i seq_cst, align 8, !noalias !12
  %.165.i.i = icmp eq i64 %.164.i.i, 0
  br i1 %.165.i.i, label %B216.i.i.backedge, label %work.exit.i

B216.i.i.backedge:                                ; preds = %B502.i.i, %B468.i.i
  br label %B216.i.i

work.exit.i: ; preds = %B502.i.i, %B380.i.i, %B156.i.i, %B184.i
  %.147.i = atomicrmw add ptr %.14.i.i, i64 -1 seq_cst, align 8, !noalias !0
  br label %B316.i

B316.i:                                           ; preds = %B250.i.i, %B194.i.i, %work.exit.i, %B86.i.i, %next_ticket.exit.i
  %.153.i = load atomic i64, ptr %.43.i seq_cst, align 8, !noalias !0
  %.155.i = icmp eq i64 %.153.i, %.33.i
  br i1 %.155.i, label %B122.i, label %serve.exit

serve.exit: ; preds = %B316.i, %entry
  ret i64 0
}

declare i32 @sigfillset(i64) local_unnamed_addr

declare i32 @sigdelset(i64, i32) local_unnamed_addr

declare i32 @pthread_sigmask(i32, i64, i64) local_unnamed_addr

; Function Attrs: nounwind
declare void @llvm.x86.sse2.pause() #0

declare i32 @sched_yield() local_unnamed_addr

declare i32 @sem_wait(i64) local_unnamed_addr

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #3

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"serve: %retptr"}
!2 = distinct !{!2, !"serve"}
!3 = !{!4, !1}
!4 = distinct !{!4, !5, !"leave_signals_to_python: %retptr"}
!5 = distinct !{!5, !"leave_signals_to_python"}
!6 = !{!7, !1}
!7 = distinct !{!7, !8, !"next_ticket: %retptr"}
!8 = distinct !{!8, !"next_ticket"}
!9 = !{!10, !1}
!10 = distinct !{!10, !11, !"entered: %retptr"}
!11 = distinct !{!11, !"entered"}
!12 = !{!13, !1}
!13 = distinct !{!13, !14, !"work: %retptr"}
!14 = distinct !{!14, !"work"}
!15 = !{!16, !13, !1}
!16 = distinct !{!16, !17, !"run_chunk: %retptr"}
!17 = distinct !{!17, !"run_chunk"}
!18 = !{!19, !13, !1}
!19 = distinct !{!19, !20, !"run_rows: %retptr"}
!20 = distinct !{!20, !"run_rows"}
!21 = distinct !{!21, !22}
!22 = !{!"llvm.loop.peeled.count", i32 1}
!23 = distinct !{!23, !22}
!24 = !{!25, !19, !13, !1}
!25 = distinct !{!25, !26, !"bind_row: %retptr"}
!26 = distinct !{!26, !"bind_row"}
!27 = !{!28, !25, !19, !13, !1}
!28 = distinct !{!28, !29, !"base: %retptr"}
!29 = distinct !{!29, !"base"}
