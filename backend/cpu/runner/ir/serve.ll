; digest d7edf9ec32cc7e476eb426ab4203d4d5
; The program guardlift_serve of guardlift's native runtime, made by `make programs` from its source.
; made by CPython 3.11, numba 0.68.1, llvmlite 0.50.0
; source backend/cpu/compiler/numba_compiler.py 593aaea976605c17dc2850b2025a2ad9
; source backend/cpu/compiler/numba_functions.py cb9b1c36af3007b22ef3a2021110394a
; source backend/cpu/compiler/numba_pipeline.py 86825d4b585a83ac3b7650bb0c092b0c
; source backend/cpu/compiler/object_library.py deabbd00ce9a97efcaac7307abd6a88d
; source backend/cpu/compiler/pointers.py dae2da22845b6eedd73cf35ba6259079
; source backend/cpu/plan/table_layout.py b1d5a4207644d2272747b2908b5c9ccf
; source backend/cpu/runner/checks.py ec2503d1e3e3f9f4e54d967e0f62ca33
; source backend/cpu/runner/team.py 4aad1d4f74e8cb6029073e7c329f38d9
; source backend/llvm/native_functions.py 8470d6db57a161a1db5405622a6894a3
; ModuleID = 'guardlift_serve'
source_filename = "<string>"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"


define noundef i64 @guardlift_serve(ptr readonly captures(none) %.1) local_unnamed_addr {
entry:
  %.53.i16.i.i = alloca [1024 x i8], align 64
  %.14.i17.i = alloca i64, align 8
  %.179.i.i = alloca i64, align 8
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
  %.54.i23.i.i = ptrtoint ptr %.53.i16.i.i to i64
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
  call void @llvm.lifetime.start.p0(ptr nonnull %.14.i17.i), !noalias !0
  call void @llvm.lifetime.start.p0(ptr nonnull %.179.i.i), !noalias !0
  store i64 0, ptr %.179.i.i, align 8, !noalias !12
  %.8.i.i = inttoptr i64 %.118.i to ptr
  store i64 0, ptr %.14.i17.i, align 8, !noalias !12
  call fastcc void @next_chunk(ptr nonnull %.14.i17.i, i64 %.118.i)
  %.28.i18.i = load i64, ptr %.14.i17.i, align 8, !noalias !12
  %.44.i.i = getelementptr i8, ptr %.8.i.i, i64 48
  %.45.i19.i = load i64, ptr %.44.i.i, align 8, !noalias !12
  %.47.i.i = icmp slt i64 %.28.i18.i, %.45.i19.i
  br i1 %.47.i.i, label %B100.i.i, label %work.exit.i

B100.i.i:                                         ; preds = %B184.i
  %.54.i.i = getelementptr i8, ptr %.8.i.i, i64 104
  %.55.i.i = load i64, ptr %.54.i.i, align 8, !noalias !12
  %.56.i20.i = icmp eq i64 %.55.i.i, 0
  %.pre.i.i = add nsw i64 %.118.i, 8
  %.pre8.i.i = inttoptr i64 %.pre.i.i to ptr
  br i1 %.56.i20.i, label %B194.preheader.i.i, label %B134.i21.i

B134.i21.i:                                       ; preds = %B100.i.i
  %.67.i.i = load atomic i64, ptr %.pre8.i.i seq_cst, align 8, !noalias !12
  %.68.i.i = icmp eq i64 %.67.i.i, 0
  br i1 %.68.i.i, label %B194.preheader.i.i, label %work.exit.i

B194.preheader.i.i:                               ; preds = %B134.i21.i, %B100.i.i
  %.6.i.i.i = getelementptr i8, ptr %.8.i.i, i64 56
  %.53.i.i.i = getelementptr i8, ptr %.8.i.i, i64 120
  %.103.i.i = getelementptr i8, ptr %.8.i.i, i64 64
  %.10.i17.i.i = getelementptr i8, ptr %.8.i.i, i64 80
  %.48.i.i.i = getelementptr i8, ptr %.8.i.i, i64 72
  %.128.i.i.i = getelementptr i8, ptr %.8.i.i, i64 88
  %.132.i.i.i = getelementptr i8, ptr %.8.i.i, i64 96
  %.188.i.i.i = getelementptr i8, ptr %.8.i.i, i64 24
  %.191.i.i.i = getelementptr i8, ptr %.8.i.i, i64 32
  %.111.i22.i = getelementptr i8, ptr %.8.i.i, i64 40
  br label %B194.i23.i

B194.i23.i:                                       ; preds = %B194.i23.i.backedge, %B194.preheader.i.i
  %start.2.0.i.i = phi i64 [ %.28.i18.i, %B194.preheader.i.i ], [ %.193.i.i, %B194.i23.i.backedge ]
  %.7.i.i.i = load i64, ptr %.6.i.i.i, align 8, !noalias !15
  %.9.i.i.i = load i64, ptr %.44.i.i, align 8, !noalias !15
  %.10.i.i.i = xor i64 %start.2.0.i.i, -1
  %.11.i.i.i = add i64 %.7.i.i.i, %.10.i.i.i
  %.12.i.i.i = add i64 %.11.i.i.i, %.9.i.i.i
  %.15.i.i.i = icmp eq i64 %.7.i.i.i, 0
  br i1 %.15.i.i.i, label %B0.endif.i.i.i, label %B0.else.i.i.i, !prof !18

B0.else.i.i.i:                                    ; preds = %B194.i23.i
  %.26.i.i.i = icmp ne i64 %.12.i.i.i, -9223372036854775808
  %.27.i.i.i = icmp ne i64 %.7.i.i.i, -1
  %.28.not.i.i.i = or i1 %.27.i.i.i, %.26.i.i.i
  br i1 %.28.not.i.i.i, label %B0.else.if.i.i.i, label %B0.endif.i.i.i, !prof !19

B0.endif.i.i.i:                                   ; preds = %B0.else.if.i.i.i, %B0.else.i.i.i, %B194.i23.i
  %storemerge1.i.i.i = phi i64 [ -1, %B194.i23.i ], [ %0, %B0.else.if.i.i.i ], [ -1, %B0.else.i.i.i ]
  %.54.i.i.i = load i64, ptr %.53.i.i.i, align 8, !noalias !15
  %.56.i.i.i = add i64 %.54.i.i.i, %storemerge1.i.i.i
  %.61.i.i.i = icmp eq i64 %.54.i.i.i, 0
  br i1 %.61.i.i.i, label %end_of_chunk.exit.i.i, label %B0.endif.else.i.i.i, !prof !18

B0.else.if.i.i.i:                                 ; preds = %B0.else.i.i.i
  %.31.i.i.i = sdiv i64 %.12.i.i.i, %.7.i.i.i
  %.32.i.i.i = srem i64 %.12.i.i.i, %.7.i.i.i
  %.33.i.i.i = xor i64 %.32.i.i.i, %.7.i.i.i
  %.34.i.i.i = icmp slt i64 %.33.i.i.i, 0
  %.35.i.i.i = icmp ne i64 %.32.i.i.i, 0
  %.36.i.i.i = and i1 %.35.i.i.i, %.34.i.i.i
  %.41.i.i.i = sext i1 %.36.i.i.i to i64
  %spec.select.i.i.i = add i64 %.31.i.i.i, -1
  %0 = add i64 %spec.select.i.i.i, %.41.i.i.i
  br label %B0.endif.i.i.i

B0.endif.else.i.i.i:                              ; preds = %B0.endif.i.i.i
  %.72.i.i.i = icmp ne i64 %.56.i.i.i, -9223372036854775808
  %.73.i.i.i = icmp ne i64 %.54.i.i.i, -1
  %.74.not.i.i.i = or i1 %.73.i.i.i, %.72.i.i.i
  br i1 %.74.not.i.i.i, label %B0.endif.else.if.i.i.i, label %end_of_chunk.exit.i.i, !prof !19

B0.endif.else.if.i.i.i:                           ; preds = %B0.endif.else.i.i.i
  %.77.i.i.i = sdiv i64 %.56.i.i.i, %.54.i.i.i
  %.78.i.i.i = srem i64 %.56.i.i.i, %.54.i.i.i
  %.79.i.i.i = xor i64 %.78.i.i.i, %.54.i.i.i
  %.80.i.i.i = icmp slt i64 %.79.i.i.i, 0
  %.81.i.i.i = icmp ne i64 %.78.i.i.i, 0
  %.82.i.i.i = and i1 %.81.i.i.i, %.80.i.i.i
  %.87.i.i.i = sext i1 %.82.i.i.i to i64
  %spec.select4.i.i.i = add i64 %.77.i.i.i, %.87.i.i.i
  %1 = mul nsw i64 %spec.select4.i.i.i, %.7.i.i.i
  br label %end_of_chunk.exit.i.i

end_of_chunk.exit.i.i: ; preds = %B0.endif.else.if.i.i.i, %B0.endif.else.i.i.i, %B0.endif.i.i.i
  %storemerge3.i.i.i = phi i64 [ 0, %B0.endif.i.i.i ], [ %1, %B0.endif.else.if.i.i.i ], [ 0, %B0.endif.else.i.i.i ]
  %.100.i.i.i = add nsw i64 %storemerge3.i.i.i, %start.2.0.i.i
  %.11.i.i.i.i = call i64 @llvm.smin.i64(i64 %.9.i.i.i, i64 %.100.i.i.i)
  %.104.i.i = load i64, ptr %.103.i.i, align 8, !noalias !12
  %.105.i.i = icmp eq i64 %.104.i.i, 0
  br i1 %.105.i.i, label %B260.i.i, label %B366.i.i

B260.i.i:                                         ; preds = %end_of_chunk.exit.i.i
  %.109.i.i = load i64, ptr %.188.i.i.i, align 8, !noalias !12
  %.112.i.i = load i64, ptr %.111.i22.i, align 8, !noalias !12
  %.115.i.i = load i64, ptr %.191.i.i.i, align 8, !noalias !12
  %.118.i.i = inttoptr i64 %.109.i.i to ptr
  %.119.i25.i = call i64 %.118.i.i(i64 %.112.i.i, i64 %.115.i.i, i64 %start.2.0.i.i, i64 %.11.i.i.i.i), !noalias !12
  br label %B400.i.i

B366.i.i:                                         ; preds = %end_of_chunk.exit.i.i
  call void @llvm.lifetime.start.p0(ptr nonnull %.53.i16.i.i), !noalias !12
  %.11.i18.i.i = load i64, ptr %.10.i17.i.i, align 8, !noalias !20
  %.12.i19.i.i = inttoptr i64 %.11.i18.i.i to ptr
  %.14.idx.i.i.i = shl i64 %start.2.0.i.i, 4
  %.14.i.i.i = getelementptr i8, ptr %.12.i19.i.i, i64 %.14.idx.i.i.i
  %.15.i20.i.i = load i64, ptr %.14.i.i.i, align 8, !noalias !20
  %.18.i.i.i = getelementptr i8, ptr %.14.i.i.i, i64 8
  %.19.i.i.i = load i64, ptr %.18.i.i.i, align 8, !noalias !20
  %.35.idx.i.i.i = shl i64 %.11.i.i.i.i, 4
  %.35.i21.i.i = getelementptr i8, ptr %.12.i19.i.i, i64 %.35.idx.i.i.i
  %.36.i22.i.i = load i64, ptr %.35.i21.i.i, align 8, !noalias !20
  %.39.i.i.i = getelementptr i8, ptr %.35.i21.i.i, i64 8
  %.40.i.i.i = load i64, ptr %.39.i.i.i, align 8, !noalias !20
  %.40.fr.i.i.i = freeze i64 %.40.i.i.i
  %.49.i.i.i = load i64, ptr %.48.i.i.i, align 8, !noalias !20
  %.67.i.i.i = icmp slt i64 %.15.i20.i.i, %.36.i22.i.i
  br i1 %.67.i.i.i, label %B250.preheader.i.i.i, label %B226.i.i.i

B226.i.i.i:                                       ; preds = %B366.i.i
  %.81.i24.i.i = icmp eq i64 %.15.i20.i.i, %.36.i22.i.i
  %.101.i.i.i = icmp slt i64 %.19.i.i.i, %.40.fr.i.i.i
  %or.cond.i.i.i = select i1 %.81.i24.i.i, i1 %.101.i.i.i, i1 false
  br i1 %or.cond.i.i.i, label %B250.preheader.i.i.i, label %run_rows.exit.i.i

B250.preheader.i.i.i:                             ; preds = %B226.i.i.i, %B366.i.i
  %.119.i.i.i = shl i64 %.49.i.i.i, 4
  %.120.i.i.i = or disjoint i64 %.119.i.i.i, 8
  %.1021.not.i.i.i.i = icmp slt i64 %.49.i.i.i, 1
  %.232.i.i.i = icmp sgt i64 %.40.fr.i.i.i, 0
  br i1 %.1021.not.i.i.i.i, label %B250.preheader.split.us.i.i.i, label %B250.preheader.split.i.i.i

B250.preheader.split.us.i.i.i:                    ; preds = %B250.preheader.i.i.i
  %.166.us.peel.i.i.i = icmp eq i64 %.15.i20.i.i, %.36.i22.i.i
  br i1 %.232.i.i.i, label %B250.us.preheader.i.i.i, label %B250.us.us.preheader.i.i.i

B250.us.us.preheader.i.i.i:                       ; preds = %B250.preheader.split.us.i.i.i
  br i1 %.166.us.peel.i.i.i, label %B496.us.us.peel.i.i.i, label %B456.us.us.peel.i.i.i

B456.us.us.peel.i.i.i:                            ; preds = %B250.us.us.preheader.i.i.i
  %.121.us.us.peel.i.i.i = mul i64 %.120.i.i.i, %.15.i20.i.i
  %.122.us.us.peel.i.i.i = add nsw i64 %.121.us.us.peel.i.i.i, %.104.i.i
  %.13.i.us.us.peel.i.i.i = inttoptr i64 %.122.us.us.peel.i.i.i to ptr
  %.180.us.us.peel.i.i.i = load i64, ptr %.13.i.us.us.peel.i.i.i, align 8, !noalias !20
  br label %B496.us.us.peel.i.i.i

B496.us.us.peel.i.i.i:                            ; preds = %B456.us.us.peel.i.i.i, %B250.us.us.preheader.i.i.i
  %storemerge.us.us.peel.i.i.i = phi i64 [ %.180.us.us.peel.i.i.i, %B456.us.us.peel.i.i.i ], [ %.40.fr.i.i.i, %B250.us.us.preheader.i.i.i ]
  %.189.us.us.peel.i.i.i = load i64, ptr %.188.i.i.i, align 8, !noalias !20
  %.192.us.us.peel.i.i.i = load i64, ptr %.191.i.i.i, align 8, !noalias !20
  %.195.us.us.peel.i.i.i = inttoptr i64 %.189.us.us.peel.i.i.i to ptr
  %.196.us.us.peel.i.i.i = call i64 %.195.us.us.peel.i.i.i(i64 %.54.i23.i.i, i64 %.192.us.us.peel.i.i.i, i64 %.19.i.i.i, i64 %storemerge.us.us.peel.i.i.i), !noalias !20
  %.207.us.us.peel.i.i.i = add nsw i64 %.15.i20.i.i, 1
  %.218.us.us.peel.i.i.i = icmp slt i64 %.207.us.us.peel.i.i.i, %.36.i22.i.i
  br i1 %.218.us.us.peel.i.i.i, label %B496.us.us.i.i.i, label %run_rows.exit.i.i

B250.us.preheader.i.i.i:                          ; preds = %B250.preheader.split.us.i.i.i
  br i1 %.166.us.peel.i.i.i, label %B496.us.peel.i.i.i, label %B456.us.peel.i.i.i

B456.us.peel.i.i.i:                               ; preds = %B250.us.preheader.i.i.i
  %.121.us.peel.i.i.i = mul i64 %.120.i.i.i, %.15.i20.i.i
  %.122.us.peel.i.i.i = add nsw i64 %.121.us.peel.i.i.i, %.104.i.i
  %.13.i.us.peel.i.i.i = inttoptr i64 %.122.us.peel.i.i.i to ptr
  %.180.us.peel.i.i.i = load i64, ptr %.13.i.us.peel.i.i.i, align 8, !noalias !20
  br label %B496.us.peel.i.i.i

B496.us.peel.i.i.i:                               ; preds = %B456.us.peel.i.i.i, %B250.us.preheader.i.i.i
  %storemerge.us.peel.i.i.i = phi i64 [ %.180.us.peel.i.i.i, %B456.us.peel.i.i.i ], [ %.40.fr.i.i.i, %B250.us.preheader.i.i.i ]
  %.189.us.peel.i.i.i = load i64, ptr %.188.i.i.i, align 8, !noalias !20
  %.192.us.peel.i.i.i = load i64, ptr %.191.i.i.i, align 8, !noalias !20
  %.195.us.peel.i.i.i = inttoptr i64 %.189.us.peel.i.i.i to ptr
  %.196.us.peel.i.i.i = call i64 %.195.us.peel.i.i.i(i64 %.54.i23.i.i, i64 %.192.us.peel.i.i.i, i64 %.19.i.i.i, i64 %storemerge.us.peel.i.i.i), !noalias !20
  br i1 %.67.i.i.i, label %B250.us.i.i.i, label %run_rows.exit.i.i

B496.us.us.i.i.i:                                 ; preds = %B496.us.us.peel.i.i.i, %B496.us.us.i.i.i
  %row.2.0.us.us.i.i.i = phi i64 [ %.207.us.us.i.i.i, %B496.us.us.i.i.i ], [ %.207.us.us.peel.i.i.i, %B496.us.us.peel.i.i.i ]
  %status.2.0.us.us.i.i.i = phi i64 [ %.200.us.us.i.i.i, %B496.us.us.i.i.i ], [ %.196.us.us.peel.i.i.i, %B496.us.us.peel.i.i.i ]
  %.115.us.us.i.i.i = load i64, ptr %.103.i.i, align 8, !noalias !20
  %.121.us.us.i.i.i = mul i64 %row.2.0.us.us.i.i.i, %.120.i.i.i
  %.122.us.us.i.i.i = add nsw i64 %.115.us.us.i.i.i, %.121.us.us.i.i.i
  %.13.i.us.us.i.i.i = inttoptr i64 %.122.us.us.i.i.i to ptr
  %.180.us.us.i.i.i = load i64, ptr %.13.i.us.us.i.i.i, align 8, !noalias !20
  %.189.us.us.i.i.i = load i64, ptr %.188.i.i.i, align 8, !noalias !20
  %.192.us.us.i.i.i = load i64, ptr %.191.i.i.i, align 8, !noalias !20
  %.195.us.us.i.i.i = inttoptr i64 %.189.us.us.i.i.i to ptr
  %.196.us.us.i.i.i = call i64 %.195.us.us.i.i.i(i64 %.54.i23.i.i, i64 %.192.us.us.i.i.i, i64 0, i64 %.180.us.us.i.i.i), !noalias !20
  %.200.us.us.i.i.i = or i64 %.196.us.us.i.i.i, %status.2.0.us.us.i.i.i
  %.207.us.us.i.i.i = add i64 %row.2.0.us.us.i.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %.207.us.us.i.i.i, %.36.i22.i.i
  br i1 %exitcond.not.i.i, label %run_rows.exit.i.i, label %B496.us.us.i.i.i, !llvm.loop !23

B250.us.i.i.i:                                    ; preds = %B496.us.peel.i.i.i, %B496.us.i.i.i
  %row.2.0.us.in.i.i.i = phi i64 [ %row.2.0.us.i.i.i, %B496.us.i.i.i ], [ %.15.i20.i.i, %B496.us.peel.i.i.i ]
  %status.2.0.us.i.i.i = phi i64 [ %.200.us.i.i.i, %B496.us.i.i.i ], [ %.196.us.peel.i.i.i, %B496.us.peel.i.i.i ]
  %row.2.0.us.i.i.i = add nsw i64 %row.2.0.us.in.i.i.i, 1
  %.166.us.i.i.i = icmp eq i64 %row.2.0.us.i.i.i, %.36.i22.i.i
  br i1 %.166.us.i.i.i, label %B496.us.i.i.i, label %B456.us.i.i.i

B456.us.i.i.i:                                    ; preds = %B250.us.i.i.i
  %.115.us.i.i.i = load i64, ptr %.103.i.i, align 8, !noalias !20
  %.121.us.i.i.i = mul i64 %row.2.0.us.i.i.i, %.120.i.i.i
  %.122.us.i.i.i = add nsw i64 %.115.us.i.i.i, %.121.us.i.i.i
  %.13.i.us.i.i.i = inttoptr i64 %.122.us.i.i.i to ptr
  %.180.us.i.i.i = load i64, ptr %.13.i.us.i.i.i, align 8, !noalias !20
  br label %B496.us.i.i.i

B496.us.i.i.i:                                    ; preds = %B456.us.i.i.i, %B250.us.i.i.i
  %storemerge.us.i.i.i = phi i64 [ %.180.us.i.i.i, %B456.us.i.i.i ], [ %.40.fr.i.i.i, %B250.us.i.i.i ]
  %.189.us.i.i.i = load i64, ptr %.188.i.i.i, align 8, !noalias !20
  %.192.us.i.i.i = load i64, ptr %.191.i.i.i, align 8, !noalias !20
  %.195.us.i.i.i = inttoptr i64 %.189.us.i.i.i to ptr
  %.196.us.i.i.i = call i64 %.195.us.i.i.i(i64 %.54.i23.i.i, i64 %.192.us.i.i.i, i64 0, i64 %storemerge.us.i.i.i), !noalias !20
  %.200.us.i.i.i = or i64 %.196.us.i.i.i, %status.2.0.us.i.i.i
  br i1 %.166.us.i.i.i, label %run_rows.exit.i.i, label %B250.us.i.i.i, !llvm.loop !25

B250.preheader.split.i.i.i:                       ; preds = %B250.preheader.i.i.i
  br i1 %.232.i.i.i, label %B250.i.i.i.preheader, label %B250.us1.i.i.i.preheader

B250.us1.i.i.i.preheader:                         ; preds = %B250.preheader.split.i.i.i
  %xtraiter = and i64 %.49.i.i.i, 1
  %2 = icmp eq i64 %.49.i.i.i, 1
  %unroll_iter = and i64 %.49.i.i.i, 9223372036854775806
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  %lcmp.mod16 = icmp ne i64 %xtraiter, 0
  br label %B250.us1.i.i.i

B250.i.i.i.preheader:                             ; preds = %B250.preheader.split.i.i.i
  %xtraiter17 = and i64 %.49.i.i.i, 1
  %3 = icmp eq i64 %.49.i.i.i, 1
  %unroll_iter20 = and i64 %.49.i.i.i, 9223372036854775806
  %lcmp.mod18.not = icmp eq i64 %xtraiter17, 0
  %lcmp.mod19 = icmp ne i64 %xtraiter17, 0
  br label %B250.i.i.i

B250.us1.i.i.i:                                   ; preds = %B250.us1.i.i.i.preheader, %B496.us15.i.i.i
  %element.2.0.us2.i.i.i = phi i64 [ 0, %B496.us15.i.i.i ], [ %.19.i.i.i, %B250.us1.i.i.i.preheader ]
  %row.2.0.us3.i.i.i = phi i64 [ %.207.us22.i.i.i, %B496.us15.i.i.i ], [ %.15.i20.i.i, %B250.us1.i.i.i.preheader ]
  %status.2.0.us4.i.i.i = phi i64 [ %.200.us21.i.i.i, %B496.us15.i.i.i ], [ 0, %B250.us1.i.i.i.preheader ]
  %.115.us5.i.i.i = load i64, ptr %.103.i.i, align 8, !noalias !20
  %.121.us6.i.i.i = mul i64 %row.2.0.us3.i.i.i, %.120.i.i.i
  %.122.us7.i.i.i = add nsw i64 %.115.us5.i.i.i, %.121.us6.i.i.i
  %.129.us8.i.i.i = load i64, ptr %.128.i.i.i, align 8, !noalias !20
  %.130.us9.i.i.i = inttoptr i64 %.129.us8.i.i.i to ptr
  %.133.us10.i.i.i = load i64, ptr %.132.i.i.i, align 8, !noalias !20
  %.134.us11.i.i.i = inttoptr i64 %.133.us10.i.i.i to ptr
  %.13.i.us12.i.i.i = inttoptr i64 %.122.us7.i.i.i to ptr
  br i1 %2, label %B96.i.us.i.i.i.epil.preheader, label %B96.i.us.i.i.i

B96.i.us.i.i.i:                                   ; preds = %B250.us1.i.i.i, %B96.i.us.i.i.i
  %.44.02.i.us.i.i.i = phi i64 [ %.115.i.us.i.i.i.1, %B96.i.us.i.i.i ], [ 0, %B250.us1.i.i.i ]
  %niter = phi i64 [ %niter.next.1, %B96.i.us.i.i.i ], [ 0, %B250.us1.i.i.i ]
  %.115.i.us.i.i.i = or disjoint i64 %.44.02.i.us.i.i.i, 1
  %.idx.i.us.i.i.i = shl i64 %.44.02.i.us.i.i.i, 4
  %4 = getelementptr i8, ptr %.13.i.us12.i.i.i, i64 %.idx.i.us.i.i.i
  %.144.i.us.i.i.i = getelementptr i8, ptr %4, i64 8
  %.145.i.us.i.i.i = load i64, ptr %.144.i.us.i.i.i, align 8, !noalias !26
  %.33.i.i.us.i.i.i = sub i64 0, %.145.i.us.i.i.i
  %.37.i.i.us.i.i.i = getelementptr i64, ptr %.134.us11.i.i.i, i64 %.33.i.i.us.i.i.i
  %.20.i.i.us.i.i.i = getelementptr i64, ptr %.130.us9.i.i.i, i64 %.145.i.us.i.i.i
  %.141.i.i.us.i.i.i = icmp slt i64 %.145.i.us.i.i.i, 0
  %storemerge.in.i.i.us.i.i.i = select i1 %.141.i.i.us.i.i.i, ptr %.37.i.i.us.i.i.i, ptr %.20.i.i.us.i.i.i
  %storemerge.i.i.us.i.i.i = load i64, ptr %storemerge.in.i.i.us.i.i.i, align 8, !noalias !29
  %.175.i.us.i.i.i = getelementptr i8, ptr %4, i64 16
  %.176.i.us.i.i.i = load i64, ptr %.175.i.us.i.i.i, align 8, !noalias !26
  %.177.i.us.i.i.i = add nsw i64 %.176.i.us.i.i.i, %storemerge.i.i.us.i.i.i
  %.179.i.us.i.i.i = getelementptr i64, ptr %.53.i16.i.i, i64 %.44.02.i.us.i.i.i
  store i64 %.177.i.us.i.i.i, ptr %.179.i.us.i.i.i, align 16, !noalias !26
  %.115.i.us.i.i.i.1 = add nuw nsw i64 %.44.02.i.us.i.i.i, 2
  %.idx.i.us.i.i.i.1 = shl i64 %.115.i.us.i.i.i, 4
  %5 = getelementptr i8, ptr %.13.i.us12.i.i.i, i64 %.idx.i.us.i.i.i.1
  %.144.i.us.i.i.i.1 = getelementptr i8, ptr %5, i64 8
  %.145.i.us.i.i.i.1 = load i64, ptr %.144.i.us.i.i.i.1, align 8, !noalias !26
  %.33.i.i.us.i.i.i.1 = sub i64 0, %.145.i.us.i.i.i.1
  %.37.i.i.us.i.i.i.1 = getelementptr i64, ptr %.134.us11.i.i.i, i64 %.33.i.i.us.i.i.i.1
  %.20.i.i.us.i.i.i.1 = getelementptr i64, ptr %.130.us9.i.i.i, i64 %.145.i.us.i.i.i.1
  %.141.i.i.us.i.i.i.1 = icmp slt i64 %.145.i.us.i.i.i.1, 0
  %storemerge.in.i.i.us.i.i.i.1 = select i1 %.141.i.i.us.i.i.i.1, ptr %.37.i.i.us.i.i.i.1, ptr %.20.i.i.us.i.i.i.1
  %storemerge.i.i.us.i.i.i.1 = load i64, ptr %storemerge.in.i.i.us.i.i.i.1, align 8, !noalias !29
  %.175.i.us.i.i.i.1 = getelementptr i8, ptr %5, i64 16
  %.176.i.us.i.i.i.1 = load i64, ptr %.175.i.us.i.i.i.1, align 8, !noalias !26
  %.177.i.us.i.i.i.1 = add nsw i64 %.176.i.us.i.i.i.1, %storemerge.i.i.us.i.i.i.1
  %.179.i.us.i.i.i.1 = getelementptr i64, ptr %.53.i16.i.i, i64 %.115.i.us.i.i.i
  store i64 %.177.i.us.i.i.i.1, ptr %.179.i.us.i.i.i.1, align 8, !noalias !26
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %bind_row.exit.loopexit.us.i.i.i.unr-lcssa, label %B96.i.us.i.i.i

B456.us13.i.i.i:                                  ; preds = %bind_row.exit.loopexit.us.i.i.i
  %.180.us14.i.i.i = load i64, ptr %.13.i.us12.i.i.i, align 8, !noalias !20
  br label %B496.us15.i.i.i

B496.us15.i.i.i:                                  ; preds = %bind_row.exit.loopexit.us.i.i.i, %B456.us13.i.i.i
  %storemerge.us16.i.i.i = phi i64 [ %.180.us14.i.i.i, %B456.us13.i.i.i ], [ %.40.fr.i.i.i, %bind_row.exit.loopexit.us.i.i.i ]
  %.189.us17.i.i.i = load i64, ptr %.188.i.i.i, align 8, !noalias !20
  %.192.us18.i.i.i = load i64, ptr %.191.i.i.i, align 8, !noalias !20
  %.195.us19.i.i.i = inttoptr i64 %.189.us17.i.i.i to ptr
  %.196.us20.i.i.i = call i64 %.195.us19.i.i.i(i64 %.54.i23.i.i, i64 %.192.us18.i.i.i, i64 %element.2.0.us2.i.i.i, i64 %storemerge.us16.i.i.i), !noalias !20
  %.200.us21.i.i.i = or i64 %.196.us20.i.i.i, %status.2.0.us4.i.i.i
  %.207.us22.i.i.i = add nsw i64 %row.2.0.us3.i.i.i, 1
  %.218.us23.i.i.i = icmp slt i64 %.207.us22.i.i.i, %.36.i22.i.i
  br i1 %.218.us23.i.i.i, label %B250.us1.i.i.i, label %run_rows.exit.i.i

bind_row.exit.loopexit.us.i.i.i.unr-lcssa: ; preds = %B96.i.us.i.i.i
  br i1 %lcmp.mod.not, label %bind_row.exit.loopexit.us.i.i.i, label %B96.i.us.i.i.i.epil.preheader

B96.i.us.i.i.i.epil.preheader:                    ; preds = %bind_row.exit.loopexit.us.i.i.i.unr-lcssa, %B250.us1.i.i.i
  %.44.02.i.us.i.i.i.epil.init = phi i64 [ 0, %B250.us1.i.i.i ], [ %.115.i.us.i.i.i.1, %bind_row.exit.loopexit.us.i.i.i.unr-lcssa ]
  call void @llvm.assume(i1 %lcmp.mod16)
  %.idx.i.us.i.i.i.epil = shl i64 %.44.02.i.us.i.i.i.epil.init, 4
  %6 = getelementptr i8, ptr %.13.i.us12.i.i.i, i64 %.idx.i.us.i.i.i.epil
  %.144.i.us.i.i.i.epil = getelementptr i8, ptr %6, i64 8
  %.145.i.us.i.i.i.epil = load i64, ptr %.144.i.us.i.i.i.epil, align 8, !noalias !26
  %.33.i.i.us.i.i.i.epil = sub i64 0, %.145.i.us.i.i.i.epil
  %.37.i.i.us.i.i.i.epil = getelementptr i64, ptr %.134.us11.i.i.i, i64 %.33.i.i.us.i.i.i.epil
  %.20.i.i.us.i.i.i.epil = getelementptr i64, ptr %.130.us9.i.i.i, i64 %.145.i.us.i.i.i.epil
  %.141.i.i.us.i.i.i.epil = icmp slt i64 %.145.i.us.i.i.i.epil, 0
  %storemerge.in.i.i.us.i.i.i.epil = select i1 %.141.i.i.us.i.i.i.epil, ptr %.37.i.i.us.i.i.i.epil, ptr %.20.i.i.us.i.i.i.epil
  %storemerge.i.i.us.i.i.i.epil = load i64, ptr %storemerge.in.i.i.us.i.i.i.epil, align 8, !noalias !29
  %.175.i.us.i.i.i.epil = getelementptr i8, ptr %6, i64 16
  %.176.i.us.i.i.i.epil = load i64, ptr %.175.i.us.i.i.i.epil, align 8, !noalias !26
  %.177.i.us.i.i.i.epil = add nsw i64 %.176.i.us.i.i.i.epil, %storemerge.i.i.us.i.i.i.epil
  %.179.i.us.i.i.i.epil = getelementptr i64, ptr %.53.i16.i.i, i64 %.44.02.i.us.i.i.i.epil.init
  store i64 %.177.i.us.i.i.i.epil, ptr %.179.i.us.i.i.i.epil, align 8, !noalias !26
  br label %bind_row.exit.loopexit.us.i.i.i

bind_row.exit.loopexit.us.i.i.i: ; preds = %bind_row.exit.loopexit.us.i.i.i.unr-lcssa, %B96.i.us.i.i.i.epil.preheader
  %.166.us28.i.i.i = icmp eq i64 %row.2.0.us3.i.i.i, %.36.i22.i.i
  br i1 %.166.us28.i.i.i, label %B496.us15.i.i.i, label %B456.us13.i.i.i

B250.i.i.i:                                       ; preds = %B250.i.i.i.preheader, %B496.i.i.i
  %element.2.0.i.i.i = phi i64 [ 0, %B496.i.i.i ], [ %.19.i.i.i, %B250.i.i.i.preheader ]
  %row.2.0.i.i.i = phi i64 [ %.207.i.i.i, %B496.i.i.i ], [ %.15.i20.i.i, %B250.i.i.i.preheader ]
  %status.2.0.i.i.i = phi i64 [ %.200.i.i.i, %B496.i.i.i ], [ 0, %B250.i.i.i.preheader ]
  %.115.i.i.i = load i64, ptr %.103.i.i, align 8, !noalias !20
  %.121.i.i.i = mul i64 %row.2.0.i.i.i, %.120.i.i.i
  %.122.i.i.i = add nsw i64 %.115.i.i.i, %.121.i.i.i
  %.129.i.i.i = load i64, ptr %.128.i.i.i, align 8, !noalias !20
  %.130.i.i.i = inttoptr i64 %.129.i.i.i to ptr
  %.133.i.i.i = load i64, ptr %.132.i.i.i, align 8, !noalias !20
  %.134.i.i.i = inttoptr i64 %.133.i.i.i to ptr
  %.13.i.i.i.i = inttoptr i64 %.122.i.i.i to ptr
  br i1 %3, label %B96.i.i.i.i.epil.preheader, label %B96.i.i.i.i

B96.i.i.i.i:                                      ; preds = %B250.i.i.i, %B96.i.i.i.i
  %.44.02.i.i.i.i = phi i64 [ %.115.i.i.i.i.1, %B96.i.i.i.i ], [ 0, %B250.i.i.i ]
  %niter21 = phi i64 [ %niter21.next.1, %B96.i.i.i.i ], [ 0, %B250.i.i.i ]
  %.115.i.i.i.i = or disjoint i64 %.44.02.i.i.i.i, 1
  %.idx.i.i.i.i = shl i64 %.44.02.i.i.i.i, 4
  %7 = getelementptr i8, ptr %.13.i.i.i.i, i64 %.idx.i.i.i.i
  %.144.i.i.i.i = getelementptr i8, ptr %7, i64 8
  %.145.i.i.i.i = load i64, ptr %.144.i.i.i.i, align 8, !noalias !26
  %.33.i.i.i.i.i = sub i64 0, %.145.i.i.i.i
  %.37.i.i.i.i.i = getelementptr i64, ptr %.134.i.i.i, i64 %.33.i.i.i.i.i
  %.20.i.i.i.i.i = getelementptr i64, ptr %.130.i.i.i, i64 %.145.i.i.i.i
  %.141.i.i.i.i.i = icmp slt i64 %.145.i.i.i.i, 0
  %storemerge.in.i.i.i.i.i = select i1 %.141.i.i.i.i.i, ptr %.37.i.i.i.i.i, ptr %.20.i.i.i.i.i
  %storemerge.i.i.i.i.i = load i64, ptr %storemerge.in.i.i.i.i.i, align 8, !noalias !29
  %.175.i.i.i.i = getelementptr i8, ptr %7, i64 16
  %.176.i.i.i.i = load i64, ptr %.175.i.i.i.i, align 8, !noalias !26
  %.177.i.i.i.i = add nsw i64 %.176.i.i.i.i, %storemerge.i.i.i.i.i
  %.179.i.i.i.i = getelementptr i64, ptr %.53.i16.i.i, i64 %.44.02.i.i.i.i
  store i64 %.177.i.i.i.i, ptr %.179.i.i.i.i, align 16, !noalias !26
  %.115.i.i.i.i.1 = add nuw nsw i64 %.44.02.i.i.i.i, 2
  %.idx.i.i.i.i.1 = shl i64 %.115.i.i.i.i, 4
  %8 = getelementptr i8, ptr %.13.i.i.i.i, i64 %.idx.i.i.i.i.1
  %.144.i.i.i.i.1 = getelementptr i8, ptr %8, i64 8
  %.145.i.i.i.i.1 = load i64, ptr %.144.i.i.i.i.1, align 8, !noalias !26
  %.33.i.i.i.i.i.1 = sub i64 0, %.145.i.i.i.i.1
  %.37.i.i.i.i.i.1 = getelementptr i64, ptr %.134.i.i.i, i64 %.33.i.i.i.i.i.1
  %.20.i.i.i.i.i.1 = getelementptr i64, ptr %.130.i.i.i, i64 %.145.i.i.i.i.1
  %.141.i.i.i.i.i.1 = icmp slt i64 %.145.i.i.i.i.1, 0
  %storemerge.in.i.i.i.i.i.1 = select i1 %.141.i.i.i.i.i.1, ptr %.37.i.i.i.i.i.1, ptr %.20.i.i.i.i.i.1
  %storemerge.i.i.i.i.i.1 = load i64, ptr %storemerge.in.i.i.i.i.i.1, align 8, !noalias !29
  %.175.i.i.i.i.1 = getelementptr i8, ptr %8, i64 16
  %.176.i.i.i.i.1 = load i64, ptr %.175.i.i.i.i.1, align 8, !noalias !26
  %.177.i.i.i.i.1 = add nsw i64 %.176.i.i.i.i.1, %storemerge.i.i.i.i.i.1
  %.179.i.i.i.i.1 = getelementptr i64, ptr %.53.i16.i.i, i64 %.115.i.i.i.i
  store i64 %.177.i.i.i.i.1, ptr %.179.i.i.i.i.1, align 8, !noalias !26
  %niter21.next.1 = add i64 %niter21, 2
  %niter21.ncmp.1 = icmp eq i64 %niter21.next.1, %unroll_iter20
  br i1 %niter21.ncmp.1, label %bind_row.exit.loopexit.i.i.i.unr-lcssa, label %B96.i.i.i.i

bind_row.exit.loopexit.i.i.i.unr-lcssa: ; preds = %B96.i.i.i.i
  br i1 %lcmp.mod18.not, label %bind_row.exit.loopexit.i.i.i, label %B96.i.i.i.i.epil.preheader

B96.i.i.i.i.epil.preheader:                       ; preds = %bind_row.exit.loopexit.i.i.i.unr-lcssa, %B250.i.i.i
  %.44.02.i.i.i.i.epil.init = phi i64 [ 0, %B250.i.i.i ], [ %.115.i.i.i.i.1, %bind_row.exit.loopexit.i.i.i.unr-lcssa ]
  call void @llvm.assume(i1 %lcmp.mod19)
  %.idx.i.i.i.i.epil = shl i64 %.44.02.i.i.i.i.epil.init, 4
  %9 = getelementptr i8, ptr %.13.i.i.i.i, i64 %.idx.i.i.i.i.epil
  %.144.i.i.i.i.epil = getelementptr i8, ptr %9, i64 8
  %.145.i.i.i.i.epil = load i64, ptr %.144.i.i.i.i.epil, align 8, !noalias !26
  %.33.i.i.i.i.i.epil = sub i64 0, %.145.i.i.i.i.epil
  %.37.i.i.i.i.i.epil = getelementptr i64, ptr %.134.i.i.i, i64 %.33.i.i.i.i.i.epil
  %.20.i.i.i.i.i.epil = getelementptr i64, ptr %.130.i.i.i, i64 %.145.i.i.i.i.epil
  %.141.i.i.i.i.i.epil = icmp slt i64 %.145.i.i.i.i.epil, 0
  %storemerge.in.i.i.i.i.i.epil = select i1 %.141.i.i.i.i.i.epil, ptr %.37.i.i.i.i.i.epil, ptr %.20.i.i.i.i.i.epil
  %storemerge.i.i.i.i.i.epil = load i64, ptr %storemerge.in.i.i.i.i.i.epil, align 8, !noalias !29
  %.175.i.i.i.i.epil = getelementptr i8, ptr %9, i64 16
  %.176.i.i.i.i.epil = load i64, ptr %.175.i.i.i.i.epil, align 8, !noalias !26
  %.177.i.i.i.i.epil = add nsw i64 %.176.i.i.i.i.epil, %storemerge.i.i.i.i.i.epil
  %.179.i.i.i.i.epil = getelementptr i64, ptr %.53.i16.i.i, i64 %.44.02.i.i.i.i.epil.init
  store i64 %.177.i.i.i.i.epil, ptr %.179.i.i.i.i.epil, align 8, !noalias !26
  br label %bind_row.exit.loopexit.i.i.i

bind_row.exit.loopexit.i.i.i: ; preds = %bind_row.exit.loopexit.i.i.i.unr-lcssa, %B96.i.i.i.i.epil.preheader
  %.166.i.i.i = icmp eq i64 %row.2.0.i.i.i, %.36.i22.i.i
  br i1 %.166.i.i.i, label %B496.i.i.i, label %B456.i.i.i

B456.i.i.i:                                       ; preds = %bind_row.exit.loopexit.i.i.i
  %.180.i.i.i = load i64, ptr %.13.i.i.i.i, align 8, !noalias !20
  br label %B496.i.i.i

B496.i.i.i:                                       ; preds = %B456.i.i.i, %bind_row.exit.loopexit.i.i.i
  %storemerge.i.i.i = phi i64 [ %.180.i.i.i, %B456.i.i.i ], [ %.40.fr.i.i.i, %bind_row.exit.loopexit.i.i.i ]
  %.189.i.i.i = load i64, ptr %.188.i.i.i, align 8, !noalias !20
  %.192.i.i.i = load i64, ptr %.191.i.i.i, align 8, !noalias !20
  %.195.i.i.i = inttoptr i64 %.189.i.i.i to ptr
  %.196.i.i.i = call i64 %.195.i.i.i(i64 %.54.i23.i.i, i64 %.192.i.i.i, i64 %element.2.0.i.i.i, i64 %storemerge.i.i.i), !noalias !20
  %.200.i.i.i = or i64 %.196.i.i.i, %status.2.0.i.i.i
  %.207.i.i.i = add nsw i64 %row.2.0.i.i.i, 1
  %or.cond34.not.not.i.i.i = icmp slt i64 %row.2.0.i.i.i, %.36.i22.i.i
  br i1 %or.cond34.not.not.i.i.i, label %B250.i.i.i, label %run_rows.exit.i.i

run_rows.exit.i.i: ; preds = %B496.us15.i.i.i, %B496.i.i.i, %B496.us.us.i.i.i, %B496.us.i.i.i, %B496.us.peel.i.i.i, %B496.us.us.peel.i.i.i, %B226.i.i.i
  %status.3.0.i.i.i = phi i64 [ 0, %B226.i.i.i ], [ %.200.us.i.i.i, %B496.us.i.i.i ], [ %.200.i.i.i, %B496.i.i.i ], [ %.200.us.us.i.i.i, %B496.us.us.i.i.i ], [ %.196.us.peel.i.i.i, %B496.us.peel.i.i.i ], [ %.196.us.us.peel.i.i.i, %B496.us.us.peel.i.i.i ], [ %.200.us21.i.i.i, %B496.us15.i.i.i ]
  call void @llvm.lifetime.end.p0(ptr nonnull %.53.i16.i.i), !noalias !12
  br label %B400.i.i

B400.i.i:                                         ; preds = %run_rows.exit.i.i, %B260.i.i
  %storemerge.i24.i = phi i64 [ %.119.i25.i, %B260.i.i ], [ %status.3.0.i.i.i, %run_rows.exit.i.i ]
  %.164.not.i.i = icmp eq i64 %storemerge.i24.i, 0
  br i1 %.164.not.i.i, label %B466.i.i, label %B412.i.i

B412.i.i:                                         ; preds = %B400.i.i
  %.171.i.i = atomicrmw or ptr %.pre8.i.i, i64 %storemerge.i24.i seq_cst, align 8, !noalias !12
  br label %B466.i.i

B466.i.i:                                         ; preds = %B412.i.i, %B400.i.i
  store i64 0, ptr %.179.i.i, align 8, !noalias !12
  call fastcc void @next_chunk(ptr nonnull %.179.i.i, i64 %.118.i)
  %.193.i.i = load i64, ptr %.179.i.i, align 8, !noalias !12
  %.208.i.i = load i64, ptr %.44.i.i, align 8, !noalias !12
  %.210.i.i = icmp slt i64 %.193.i.i, %.208.i.i
  br i1 %.210.i.i, label %B530.i.i, label %work.exit.i

B530.i.i:                                         ; preds = %B466.i.i
  %.214.i.i = load i64, ptr %.54.i.i, align 8, !noalias !12
  %.215.i.i = icmp eq i64 %.214.i.i, 0
  br i1 %.215.i.i, label %B194.i23.i.backedge, label %B564.i.i

B564.i.i:                                         ; preds = %B530.i.i
  %.221.i.i = load atomic i64, ptr %.pre8.i.i seq_cst, align 8, !noalias !12
  %.222.i.i = icmp eq i64 %.221.i.i, 0
  br i1 %.222.i.i, label %B194.i23.i.backedge, label %work.exit.i

B194.i23.i.backedge:                              ; preds = %B564.i.i, %B530.i.i
  br label %B194.i23.i

work.exit.i: ; preds = %B564.i.i, %B466.i.i, %B134.i21.i, %B184.i
  call void @llvm.lifetime.end.p0(ptr nonnull %.14.i17.i), !noalias !0
  call void @llvm.lifetime.end.p0(ptr nonnull %.179.i.i), !noalias !0
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
  %.7.i = load i64, ptr %.6.i, align 8, !noalias !32
  %.10.i = xor i64 %.16, -1
  %.11.i = add i64 %.26, %.10.i
  %.12.i = add i64 %.11.i, %.7.i
  %.15.i = icmp eq i64 %.7.i, 0
  br i1 %.15.i, label %B0.endif.i, label %B0.else.i, !prof !18

B0.else.i:                                        ; preds = %B120
  %.26.i = icmp ne i64 %.12.i, -9223372036854775808
  %.27.i = icmp ne i64 %.7.i, -1
  %.28.not.i = or i1 %.27.i, %.26.i
  br i1 %.28.not.i, label %B0.else.if.i, label %B0.endif.i, !prof !19

B0.endif.i:                                       ; preds = %B0.else.if.i, %B0.else.i, %B120
  %storemerge1.i = phi i64 [ -1, %B120 ], [ %0, %B0.else.if.i ], [ -1, %B0.else.i ]
  %.53.i = getelementptr i8, ptr %.8, i64 120
  %.54.i = load i64, ptr %.53.i, align 8, !noalias !32
  %.56.i = add i64 %.54.i, %storemerge1.i
  %.61.i = icmp eq i64 %.54.i, 0
  br i1 %.61.i, label %end_of_chunk.exit, label %B0.endif.else.i, !prof !18

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
  br i1 %.74.not.i, label %B0.endif.else.if.i, label %end_of_chunk.exit, !prof !19

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
  %.7.i6 = load i64, ptr %.6.i, align 8, !noalias !35
  %.10.i9 = xor i64 %.79, -1
  %.11.i10 = add i64 %.88, %.10.i9
  %.12.i11 = add i64 %.11.i10, %.7.i6
  %.15.i12 = icmp eq i64 %.7.i6, 0
  br i1 %.15.i12, label %B0.endif.i17, label %B0.else.i13, !prof !18

B0.else.i13:                                      ; preds = %B290
  %.26.i14 = icmp ne i64 %.12.i11, -9223372036854775808
  %.27.i15 = icmp ne i64 %.7.i6, -1
  %.28.not.i16 = or i1 %.27.i15, %.26.i14
  br i1 %.28.not.i16, label %B0.else.if.i39, label %B0.endif.i17, !prof !19

B0.endif.i17:                                     ; preds = %B0.else.if.i39, %B0.else.i13, %B290
  %storemerge1.i18 = phi i64 [ -1, %B290 ], [ %2, %B0.else.if.i39 ], [ -1, %B0.else.i13 ]
  %.54.i20 = load i64, ptr %.53.i, align 8, !noalias !35
  %.56.i21 = add i64 %.54.i20, %storemerge1.i18
  %.61.i22 = icmp eq i64 %.54.i20, 0
  br i1 %.61.i22, label %end_of_chunk.exit48, label %B0.endif.else.i23, !prof !18

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
  br i1 %.74.not.i26, label %B0.endif.else.if.i30, label %end_of_chunk.exit48, !prof !19

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

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #3

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #4

attributes #0 = { nounwind }
attributes #1 = { nofree norecurse nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) }
attributes #2 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

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
!16 = distinct !{!16, !17, !"end_of_chunk: %retptr"}
!17 = distinct !{!17, !"end_of_chunk"}
!18 = !{!"branch_weights", i32 1, i32 99}
!19 = !{!"branch_weights", i32 99, i32 1}
!20 = !{!21, !13, !1}
!21 = distinct !{!21, !22, !"run_rows: %retptr"}
!22 = distinct !{!22, !"run_rows"}
!23 = distinct !{!23, !24}
!24 = !{!"llvm.loop.peeled.count", i32 1}
!25 = distinct !{!25, !24}
!26 = !{!27, !21, !13, !1}
!27 = distinct !{!27, !28, !"bind_row: %retptr"}
!28 = distinct !{!28, !"bind_row"}
!29 = !{!30, !27, !21, !13, !1}
!30 = distinct !{!30, !31, !"base: %retptr"}
!31 = distinct !{!31, !"base"}
!32 = !{!33}
!33 = distinct !{!33, !34, !"end_of_chunk: %retptr"}
!34 = distinct !{!34, !"end_of_chunk"}
!35 = !{!36}
!36 = distinct !{!36, !37, !"end_of_chunk: %retptr"}
!37 = distinct !{!37, !"end_of_chunk"}
