(* What the exported proofs of dpsym use: definitions first, then one lemma for each fact and each rule of the
   certificates' language, by the same names.  Only Coq's Reals, Coquelicot and Interval are needed. *)
Set Warnings "-ambiguous-paths".
Require Import Reals Lra Psatz Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
Local Open Scope R_scope.

(* --- definitions *)

Definition integer (x : R) : Prop := exists n : Z, x = IZR n.

(* the n-th root of x >= 0 (0 elsewhere); sqrt is used for square roots *)
Definition root (n : nat) (x : R) : R := if Rlt_dec 0 x then Rpower x (/ INR n) else 0.

(* b to the power e for b > 0, for b = 0 <= e, and for an integer e *)
Definition power (b e : R) : R :=
  if Rlt_dec 0 b then Rpower b e
  else if Req_EM_T b 0 then (if Req_EM_T e 0 then 1 else 0)
  else powerRZ b (Int_part e).

Definition coth (x : R) : R := cosh x / sinh x.
Definition asinh (x : R) : R := ln (x + sqrt (x ^ 2 + 1)).
Definition acosh (x : R) : R := ln (x + sqrt (x ^ 2 - 1)).
Definition atanh (x : R) : R := ln ((1 + x) / (1 - x)) / 2.
Definition floor (x : R) : R := IZR (Int_part x).
Definition ceiling (x : R) : R := - floor (- x).
Definition sign (x : R) : R := if Rlt_dec 0 x then 1 else if Rlt_dec x 0 then -1 else 0.

(* the density and the distribution function of the standard normal distribution, and its inverse *)
Definition phi (x : R) : R := exp (- x ^ 2 / 2) / sqrt (2 * PI).
Definition Phi (x : R) : R := 1 / 2 + RInt phi 0 x.
Definition Phi_inv (p : R) : R := real (Lub_Rbar (fun x => Phi x <= p)).
Definition erf (x : R) : R := 2 * Phi (x * sqrt 2) - 1.
Definition erfc (x : R) : R := 2 * Phi (- x * sqrt 2).

(* --- facts: the rows of the table of lemmas *)

Lemma trivial : 0 = 0. Proof. reflexivity. Qed.
Lemma reflexive x : x = x :> R. Proof. reflexivity. Qed.
Lemma equal x y : x <= y -> x >= y -> x = y. Proof. lra. Qed.
Lemma square_order x y : x >= 0 -> y >= 0 -> x ^ 2 >= y ^ 2 -> x >= y.
Proof. intros. destruct (Rlt_or_le x y); [exfalso; nra | lra]. Qed.
Lemma square_order_strict x y : x >= 0 -> y >= 0 -> x ^ 2 > y ^ 2 -> x > y.
Proof. intros. destruct (Rlt_or_le y x); [lra | exfalso; nra]. Qed.

Lemma square_bound x y : y >= 0 -> x ^ 2 <= y ^ 2 -> x <= y.
Proof. intros. destruct (Rlt_or_le y x); [exfalso; nra | lra]. Qed.
Lemma square_bound_strict x y : y >= 0 -> x ^ 2 < y ^ 2 -> x < y.
Proof. intros. destruct (Rlt_or_le x y); [lra | exfalso; nra]. Qed.

Lemma cube_grows x y : x < y -> x ^ 3 < y ^ 3.
Proof.
  intro H. apply Rminus_gt_0_lt. replace (y ^ 3 - x ^ 3) with ((y - x) * ((y - x) ^ 2 / 4 + 3 / 4 * (x + y) ^ 2)) by field.
  pose proof (pow2_ge_0 (x + y)). assert (0 < (y - x) ^ 2) by (apply pow_lt; lra). apply Rmult_lt_0_compat; lra.
Qed.
Lemma cube_order x y : x ^ 3 >= y ^ 3 -> x >= y.
Proof. intro H. destruct (Rlt_or_le x y) as [L|]; [apply cube_grows in L |]; lra. Qed.
Lemma cube_order_strict x y : x ^ 3 > y ^ 3 -> x > y.
Proof. intro H. destruct (Rtotal_order x y) as [L|[->|]]; [apply cube_grows in L | |]; lra. Qed.

Lemma exp_zero : exp 0 = 1. Proof. exact exp_0. Qed.
Lemma exp_positive x : exp x > 0. Proof. apply exp_pos. Qed.
Lemma exp_tangent x : exp x >= 1 + x. Proof. apply Rle_ge, exp_ineq1_le. Qed.
Lemma exp_tangent_strict x : x <> 0 -> exp x > 1 + x. Proof. apply exp_ineq1. Qed.
Lemma exp_strict x y : x < y -> exp x < exp y. Proof. apply exp_increasing. Qed.
Lemma exp_mono x y : x <= y -> exp x <= exp y.
Proof. intros [H| ->]; [left; now apply exp_increasing | lra]. Qed.
Lemma exp_log x : x > 0 -> exp (ln x) = x. Proof. apply exp_ln. Qed.
Lemma log_exp x : ln (exp x) = x. Proof. apply ln_exp. Qed.
Lemma log_one : ln 1 = 0. Proof. exact ln_1. Qed.
Lemma log_tangent x : x > 0 -> ln x <= x - 1.
Proof. intro H. pose proof (exp_ineq1_le (ln x)). rewrite exp_ln in H0; lra. Qed.
Lemma log_strict x y : x > 0 -> x < y -> ln x < ln y. Proof. apply ln_increasing. Qed.
Lemma log_mono x y : x > 0 -> x <= y -> ln x <= ln y.
Proof. intros P [H| ->]; [left; now apply ln_increasing | lra]. Qed.
Lemma pi_above : PI > 3. Proof. interval with (i_prec 64). Qed.
Lemma pi_below : PI < 22 / 7. Proof. interval with (i_prec 64). Qed.

Lemma root_square x : x >= 0 -> sqrt x >= 0. Proof. intros _. apply Rle_ge, sqrt_pos. Qed.
Lemma root_positive x : x > 0 -> sqrt x > 0. Proof. apply sqrt_lt_R0. Qed.
Lemma root_squared x : x >= 0 -> sqrt x ^ 2 = x.
Proof. intro H. simpl. rewrite Rmult_1_r. apply sqrt_sqrt; lra. Qed.
Lemma root_of_square x : sqrt (x ^ 2) = Rabs x.
Proof. rewrite <- sqrt_Rsqr_abs. f_equal. unfold Rsqr. ring. Qed.
Lemma root_mono x y : x >= 0 -> x <= y -> sqrt x <= sqrt y. Proof. intros. apply sqrt_le_1; lra. Qed.
Lemma root_strict x y : x >= 0 -> x < y -> sqrt x < sqrt y. Proof. intros. apply sqrt_lt_1; lra. Qed.

(* powers with any exponent *)

Lemma power_of_positive x y : 0 < x -> power x y = Rpower x y.
Proof. intro. unfold power. destruct (Rlt_dec 0 x); [reflexivity | lra]. Qed.
Lemma power_of_zero y : power 0 y = if Req_EM_T y 0 then 1 else 0.
Proof. unfold power. destruct (Rlt_dec 0 0); [lra |]. destruct (Req_EM_T 0 0); [reflexivity | lra]. Qed.
Lemma Int_part_IZR n : Int_part (IZR n) = n.
Proof.
  destruct (base_Int_part (IZR n)) as [H1 H2]. apply le_IZR in H1.
  assert (IZR (n - Int_part (IZR n)) < 1) by (rewrite minus_IZR; lra). apply lt_IZR in H. lia.
Qed.
Lemma power_pow x n : power x (INR n) = x ^ n.
Proof.
  unfold power. destruct (Rlt_dec 0 x); [now apply Rpower_pow |].
  destruct (Req_EM_T x 0) as [->|N].
  - destruct n; [simpl; destruct (Req_EM_T 0 0); lra |].
    destruct (Req_EM_T (INR (S n)) 0) as [E|_]; [pose proof (lt_0_INR (S n) ltac:(lia)); lra | simpl; ring].
  - rewrite Int_part_INR. now rewrite <- pow_powerRZ.
Qed.
Lemma power_0 x : power x 0 = x ^ 0. Proof. exact (power_pow x 0). Qed.
Lemma power_1 x : power x 1 = x ^ 1. Proof. exact (power_pow x 1). Qed.
Lemma power_2 x : power x 2 = x ^ 2. Proof. exact (power_pow x 2). Qed.
Lemma natural k : integer k -> k >= 0 -> exists n, k = INR n.
Proof.
  intros [z ->] H. exists (Z.to_nat z). rewrite INR_IZR_INZ, Z2Nat.id; [reflexivity |].
  apply le_IZR. lra.
Qed.
Lemma power_positive x y : x > 0 -> power x y > 0.
Proof. intro. rewrite power_of_positive by lra. apply exp_pos. Qed.
Lemma power_exp x y : x > 0 -> power x y = exp (y * ln x). Proof. intro. now rewrite power_of_positive by lra. Qed.
Lemma power_zero x : x > 0 -> power 0 x = 0.
Proof. intro. rewrite power_of_zero. destruct (Req_EM_T x 0); lra. Qed.
Lemma power_integer_nonnegative x k : x >= 0 -> integer k -> k >= 0 -> power x k >= 0.
Proof. intros X I K. destruct (natural k I K) as [n ->]. rewrite power_pow. apply Rle_ge, pow_le; lra. Qed.
Lemma power_nonnegative x y : x >= 0 -> y > 0 -> power x y >= 0.
Proof. intros [X| ->] Y; [left; now apply power_positive | rewrite power_zero; lra]. Qed.
Lemma power_step x k : integer k -> k >= 0 -> power x (k + 1) = x * power x k.
Proof. intros I K. destruct (natural k I K) as [n ->]. now rewrite <- S_INR, !power_pow. Qed.
Lemma power_sum x k n : integer k -> integer n -> k >= 0 -> n >= 0 -> power x (k + n) = power x k * power x n.
Proof.
  intros I J K N. destruct (natural k I K) as [i ->]. destruct (natural n J N) as [j ->].
  now rewrite <- plus_INR, !power_pow, pow_add.
Qed.
Lemma one_power x : power 1 x = 1.
Proof. rewrite power_of_positive by lra. unfold Rpower. rewrite ln_1, Rmult_0_r. exact exp_0. Qed.
Lemma power_even x k : integer k -> k >= 0 -> power x (2 * k) >= 0.
Proof.
  intros I K. destruct (natural k I K) as [n ->]. replace (2 * INR n) with (INR (2 * n)) by now rewrite mult_INR.
  rewrite power_pow, pow_mult. apply Rle_ge, pow_le. nra.
Qed.

(* roots of any order *)

Lemma root_nonneg n x : 0 <= root n x.
Proof. unfold root. destruct (Rlt_dec 0 x); [left; apply exp_pos | lra]. Qed.
Lemma root_pos n x : 0 < x -> 0 < root n x.
Proof. intro. unfold root. destruct (Rlt_dec 0 x); [apply exp_pos | lra]. Qed.
Lemma root_pow n x : (0 < n)%nat -> 0 <= x -> root n x ^ n = x.
Proof.
  intros N X. unfold root. destruct (Rlt_dec 0 x).
  - rewrite <- Rpower_pow by apply exp_pos. rewrite Rpower_mult, Rinv_l, Rpower_1; auto. apply not_0_INR; lia.
  - replace x with 0 by lra. apply pow_i; lia.
Qed.
Lemma root_exp n x : 0 < x -> root n x = exp (/ INR n * ln x).
Proof. intro. unfold root. destruct (Rlt_dec 0 x); [reflexivity | easy]. Qed.
Lemma pow_injective n x y : (0 < n)%nat -> 0 <= x -> 0 <= y -> x ^ n = y ^ n -> x = y.
Proof.
  intros N X Y E. assert (M : forall a b, 0 <= a -> a < b -> a ^ n < b ^ n).
  { intros a b A B. destruct n; [lia |]. clear - A B. induction n; [simpl; lra |].
    change (a * a ^ S n < b * b ^ S n). pose proof (pow_le a (S n) A). nra. }
  destruct (Rtotal_order x y) as [L|[|L]]; [| assumption |]; apply M in L; lra.
Qed.
Lemma root_is n a r : (0 < n)%nat -> 0 <= r -> r ^ n = a -> root n a = r.
Proof.
  intros N P <-. apply (pow_injective n); auto; [apply root_nonneg |]. apply root_pow; auto. now apply pow_le.
Qed.
Lemma sqrt_is a r : 0 <= r -> r ^ 2 = a -> sqrt a = r.
Proof. intros P <-. replace (r ^ 2) with (r * r) by ring. now apply sqrt_square. Qed.
Lemma abs_is a r : 0 <= r -> r ^ 2 = a ^ 2 -> Rabs a = r.
Proof. intros P E. rewrite <- root_of_square. now apply sqrt_is. Qed.

(* hyperbolic functions *)

Lemma sinh_exp x : sinh x = (exp x - exp (- x)) / 2. Proof. reflexivity. Qed.
Lemma cosh_exp x : cosh x = (exp x + exp (- x)) / 2. Proof. reflexivity. Qed.
Lemma exp_double x : exp (2 * x) = exp x * exp x. Proof. rewrite <- exp_plus. f_equal. ring. Qed.
Lemma tanh_exp x : tanh x = 1 - 2 / (exp (2 * x) + 1).
Proof. unfold tanh, sinh, cosh. rewrite exp_double, exp_Ropp. pose proof (exp_pos x). field. split; nra. Qed.
Lemma exp_double_not_one x : x <> 0 -> exp (2 * x) - 1 <> 0.
Proof. intros N E. apply N. assert (exp (2 * x) = exp 0) by (rewrite exp_0; lra). apply exp_inv in H. lra. Qed.
Lemma coth_exp x : x <> 0 -> coth x = 1 + 2 / (exp (2 * x) - 1).
Proof.
  intro N. pose proof (exp_double_not_one x N) as D. unfold coth, sinh, cosh.
  rewrite exp_double, exp_Ropp in *. pose proof (exp_pos x). field. repeat split; try assumption; lra.
Qed.
Lemma asinh_log x : asinh x = ln (x + sqrt (x ^ 2 + 1)). Proof. reflexivity. Qed.
Lemma acosh_log x : x >= 1 -> acosh x = ln (x + sqrt (x ^ 2 - 1)). Proof. reflexivity. Qed.
Lemma atanh_log x : x > -1 -> x < 1 -> atanh x = ln ((1 + x) / (1 - x)) / 2. Proof. reflexivity. Qed.

(* absolute values, maxima and minima *)

Ltac by_cases :=
  intros; unfold Rmax, Rmin, Rabs in *;
  repeat match goal with |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
                       | |- context [Rcase_abs ?a] => destruct (Rcase_abs a) end;
  repeat match goal with H : ~ _ <= _ |- _ => apply Rnot_le_lt in H end; lra.
Lemma abs_nonnegative x : Rabs x >= 0. Proof. by_cases. Qed.
Lemma abs_above x : Rabs x >= x. Proof. by_cases. Qed.
Lemma abs_below x : Rabs x >= - x. Proof. by_cases. Qed.
Lemma abs_positive x : x <> 0 -> Rabs x > 0. Proof. apply Rabs_pos_lt. Qed.
Lemma abs_of_positive x : x >= 0 -> Rabs x = x. Proof. by_cases. Qed.
Lemma abs_of_negative x : x <= 0 -> Rabs x = - x. Proof. by_cases. Qed.
Lemma abs_squared x : Rabs x ^ 2 = x ^ 2. Proof. apply pow2_abs. Qed.
Lemma abs_mirror x : Rabs (- x) = Rabs x. Proof. apply Rabs_Ropp. Qed.
Lemma abs_product x y : Rabs (x * y) = Rabs x * Rabs y. Proof. apply Rabs_mult. Qed.
Lemma max_abs x y : Rmax x y = (x + y + Rabs (x - y)) / 2. Proof. by_cases. Qed.
Lemma min_abs x y : Rmin x y = (x + y - Rabs (x - y)) / 2. Proof. by_cases. Qed.
Lemma max_swap x y : Rmax x y = Rmax y x. Proof. by_cases. Qed.
Lemma max_turn x y z : Rmax x (Rmax y z) = Rmax (Rmax x y) z. Proof. apply Rmax_assoc. Qed.
Lemma min_swap x y : Rmin x y = Rmin y x. Proof. by_cases. Qed.
Lemma min_turn x y z : Rmin x (Rmin y z) = Rmin (Rmin x y) z. Proof. apply Rmin_assoc. Qed.
Lemma max_left x y : x >= y -> Rmax x y = x. Proof. by_cases. Qed.
Lemma max_right x y : x <= y -> Rmax x y = y. Proof. by_cases. Qed.
Lemma min_left x y : x <= y -> Rmin x y = x. Proof. by_cases. Qed.
Lemma min_right x y : x >= y -> Rmin x y = y. Proof. by_cases. Qed.
Lemma max_above_left x y : Rmax x y >= x. Proof. by_cases. Qed.
Lemma max_above_right x y : Rmax x y >= y. Proof. by_cases. Qed.
Lemma min_below_left x y : Rmin x y <= x. Proof. by_cases. Qed.
Lemma min_below_right x y : Rmin x y <= y. Proof. by_cases. Qed.
Lemma max_least x y z : x <= z -> y <= z -> Rmax x y <= z. Proof. by_cases. Qed.
Lemma max_least_strict x y z : x < z -> y < z -> Rmax x y < z. Proof. by_cases. Qed.
Lemma min_greatest x y z : x >= z -> y >= z -> Rmin x y >= z. Proof. by_cases. Qed.
Lemma min_greatest_strict x y z : x > z -> y > z -> Rmin x y > z. Proof. by_cases. Qed.

(* arcus tangens, integers *)

Lemma atan_zero : atan 0 = 0. Proof. exact atan_0. Qed.
Lemma atan_mirror x : atan (- x) = - atan x. Proof. apply atan_opp. Qed.
Lemma atan_strict x y : x < y -> atan x < atan y. Proof. apply atan_increasing. Qed.
Lemma atan_mono x y : x <= y -> atan x <= atan y. Proof. intros [H| ->]; [left; now apply atan_increasing | lra]. Qed.

Lemma floor_below x : floor x <= x. Proof. apply base_Int_part. Qed.
Lemma floor_above x : floor x > x - 1. Proof. unfold floor. destruct (base_Int_part x). lra. Qed.
Lemma floor_integer x : integer (floor x). Proof. now exists (Int_part x). Qed.
Lemma floor_of_integer x : integer x -> floor x = x. Proof. intros [n ->]. unfold floor. now rewrite Int_part_IZR. Qed.
Lemma floor_unique x n : IZR n <= x < IZR n + 1 -> floor x = IZR n.
Proof.
  intros [A B]. destruct (base_Int_part x) as [C D]. unfold floor. f_equal.
  assert (IZR n < IZR (Int_part x) + 1) by lra. assert (IZR (Int_part x) < IZR n + 1) by lra.
  rewrite <- plus_IZR in *. apply lt_IZR in H, H0. lia.
Qed.
Lemma floor_shift x k : integer k -> floor (x + k) = floor x + k.
Proof.
  intros [n ->]. rewrite (floor_unique (x + IZR n) (Int_part x + n)); [apply plus_IZR |].
  rewrite plus_IZR. destruct (base_Int_part x). lra.
Qed.
Lemma floor_least k x : integer k -> k <= x -> floor x >= k.
Proof.
  intros [n ->] H. pose proof (floor_above x). unfold floor in *. apply Rle_ge, IZR_le.
  assert (IZR n < IZR (Int_part x) + 1) by lra. rewrite <- plus_IZR in H1. apply lt_IZR in H1. lia.
Qed.
Lemma ceiling_floor x : ceiling x = - floor (- x). Proof. reflexivity. Qed.
Lemma sign_positive x : x > 0 -> sign x = 1. Proof. intro. unfold sign. destruct (Rlt_dec 0 x); lra. Qed.
Lemma sign_negative x : x < 0 -> sign x = -1.
Proof. intro. unfold sign. destruct (Rlt_dec 0 x); [lra |]. destruct (Rlt_dec x 0); lra. Qed.
Lemma sign_zero : sign 0 = 0. Proof. unfold sign. destruct (Rlt_dec 0 0); lra. Qed.
Lemma integer_step x y : integer x -> integer y -> x > y -> x >= y + 1.
Proof. intros [m ->] [n ->] H. apply lt_IZR in H. rewrite <- plus_IZR. apply Rle_ge, IZR_le. lia. Qed.
Lemma integer_number n : integer (IZR n). Proof. now exists n. Qed.
Lemma integer_plus x y : integer x -> integer y -> integer (x + y).
Proof. intros [m ->] [n ->]. exists (m + n)%Z. now rewrite plus_IZR. Qed.
Lemma integer_minus x y : integer x -> integer y -> integer (x - y).
Proof. intros [m ->] [n ->]. exists (m - n)%Z. now rewrite minus_IZR. Qed.
Lemma integer_times x y : integer x -> integer y -> integer (x * y).
Proof. intros [m ->] [n ->]. exists (m * n)%Z. now rewrite mult_IZR. Qed.
Lemma integer_opp x : integer x -> integer (- x).
Proof. intros [n ->]. exists (- n)%Z. now rewrite opp_IZR. Qed.
Lemma integer_pow x n : integer x -> integer (x ^ n).
Proof. intro H. induction n; [now exists 1%Z | now apply integer_times]. Qed.

(* --- the normal distribution; of its integral only the value is taken from elsewhere *)

Lemma phi_exp x : phi x = exp (- x ^ 2 / 2) / sqrt (2 * PI). Proof. reflexivity. Qed.
Lemma two_pi : 0 < sqrt (2 * PI).
Proof. apply sqrt_lt_R0. pose proof PI_RGT_0. lra. Qed.
Lemma phi_positive x : 0 < phi x.
Proof. apply Rdiv_lt_0_compat; [apply exp_pos | apply two_pi]. Qed.
Lemma phi_mirror x : phi (- x) = phi x.
Proof. unfold phi. do 3 f_equal. ring. Qed.
Lemma phi_derivative x : is_derive phi x (- x * phi x).
Proof.
  unfold phi. pose proof two_pi. auto_derive; [lra |].
  replace (- (x * (x * 1)) * / 2) with (- x ^ 2 / 2) by field. field. lra.
Qed.
Lemma phi_continuous x : continuous phi x.
Proof. apply (ex_derive_continuous phi). eexists. apply phi_derivative. Qed.
Lemma phi_integrable a b : ex_RInt phi a b.
Proof. apply (ex_RInt_continuous phi). intros; apply phi_continuous. Qed.
Lemma Phi_zero : Phi 0 = 1 / 2.
Proof. unfold Phi. rewrite RInt_point. change (@zero _) with 0. lra. Qed.
Lemma Phi_derivative x : is_derive Phi x (phi x).
Proof.
  unfold Phi. apply (is_derive_ext (fun t => plus (1 / 2) (RInt phi 0 t))); [reflexivity |].
  replace (phi x) with (plus 0 (phi x)) by apply Rplus_0_l.
  apply (is_derive_plus (fun _ => 1 / 2)); [apply @is_derive_const |].
  apply (is_derive_RInt phi _ 0); [| apply phi_continuous].
  exists (mkposreal 1 Rlt_0_1). intros b _. apply (RInt_correct phi 0 b), phi_integrable.
Qed.
Lemma Phi_mirror x : Phi (- x) = 1 - Phi x.
Proof.
  unfold Phi. assert (E : RInt phi 0 (- x) = - RInt phi 0 x); [| lra].
  replace (RInt phi 0 (- x)) with (RInt phi (-1 * 0 + 0) (-1 * x + 0)) by (f_equal; ring).
  rewrite <- (RInt_comp_lin phi) by apply phi_integrable.
  rewrite (RInt_ext _ (fun y => opp (phi y))); [apply (RInt_opp phi), phi_integrable |].
  intros y _. change (-1 * phi (-1 * y + 0) = - phi y). replace (-1 * y + 0) with (- y) by ring.
  rewrite phi_mirror. ring.
Qed.
Lemma Phi_strict x y : x < y -> Phi x < Phi y.
Proof.
  intro H. unfold Phi. rewrite <- (RInt_Chasles phi 0 x y) by apply phi_integrable.
  assert (0 < RInt phi x y).
  { apply RInt_gt_0; auto; intros; [apply phi_positive | apply phi_continuous]. }
  unfold plus; simpl. lra.
Qed.
Lemma Phi_mono x y : x <= y -> Phi x <= Phi y.
Proof. intros [H| ->]; [left; now apply Phi_strict | lra]. Qed.

Section exported.
(* P. S. Laplace 1774; e.g. W. Feller, An Introduction to Probability Theory and Its Applications I, VII.1 *)
Hypothesis gaussian_integral : is_lim (RInt phi 0) p_infty (1 / 2).

Lemma Phi_limit : is_lim Phi p_infty 1.
Proof.
  unfold Phi. replace (Finite 1) with (Finite (1 / 2 + 1 / 2)) by (f_equal; field).
  apply (is_lim_plus' (fun _ => 1 / 2) (RInt phi 0)); [apply is_lim_const | exact gaussian_integral].
Qed.
Lemma Phi_below x : Phi x < 1.
Proof.
  apply Rlt_le_trans with (Phi (x + 1)); [apply Phi_strict; lra |].
  apply (is_lim_le_loc (fun _ => Phi (x + 1)) Phi p_infty (Phi (x + 1)) 1); [| apply is_lim_const | apply Phi_limit].
  exists (x + 1). intros y H. apply Phi_mono. lra.
Qed.
Lemma Phi_positive x : Phi x > 0.
Proof. pose proof (Phi_below (- x)). rewrite Phi_mirror in H. lra. Qed.
Lemma Phi_inv_of x : Phi_inv (Phi x) = x.
Proof.
  unfold Phi_inv. rewrite (is_lub_Rbar_unique _ x); [reflexivity |]. split.
  - intros y H. destruct (Rle_or_lt y x) as [|L]; [assumption | apply Phi_strict in L; lra].
  - intros b H. apply H. lra.
Qed.
Lemma Phi_lower : is_lim Phi m_infty 0.
Proof.
  apply (is_lim_ext (fun x => 1 - Phi (- x))); [intro; rewrite Phi_mirror; ring |].
  replace (Finite 0) with (Finite (1 - 1)) by (f_equal; ring). apply is_lim_minus'; [apply is_lim_const |].
  apply (is_lim_comp Phi Ropp m_infty 1 p_infty); [apply Phi_limit | | exists 0; intros; discriminate].
  apply (is_lim_opp (fun x => x) m_infty m_infty), is_lim_id.
Qed.
Lemma Phi_onto p : 0 < p < 1 -> exists x, Phi x = p.
Proof.
  intro P.
  destruct (IVT_Rbar_incr Phi m_infty p_infty 0 1 p Phi_lower Phi_limit) as [x [_ [_ E]]]; simpl; auto; [| now exists x].
  intros y _ _. apply continuity_pt_filterlim, (ex_derive_continuous Phi). eexists. apply Phi_derivative.
Qed.
Lemma Phi_of_inv x : x > 0 -> x < 1 -> Phi (Phi_inv x) = x.
Proof. intros A B. destruct (Phi_onto x) as [z <-]; [lra |]. now rewrite Phi_inv_of. Qed.
Lemma Phi_inv_mirror x : x > 0 -> x < 1 -> Phi_inv (1 - x) = - Phi_inv x.
Proof. intros A B. destruct (Phi_onto x) as [z <-]; [lra |]. now rewrite <- Phi_mirror, !Phi_inv_of. Qed.
Lemma Phi_inv_strict x y : x > 0 -> x < y -> y < 1 -> Phi_inv x < Phi_inv y.
Proof.
  intros. destruct (Rlt_or_le (Phi_inv x) (Phi_inv y)) as [|L]; [assumption |].
  apply Phi_mono in L. rewrite !Phi_of_inv in L; lra.
Qed.
Lemma Phi_inv_mono x y : x > 0 -> x <= y -> y < 1 -> Phi_inv x <= Phi_inv y.
Proof. intros A [H| ->] B; [left; now apply Phi_inv_strict | lra]. Qed.

Lemma erf_Phi x : erf x = 2 * Phi (x * sqrt 2) - 1. Proof. reflexivity. Qed.
Lemma erfc_Phi x : erfc x = 2 * Phi (- x * sqrt 2). Proof. reflexivity. Qed.

(* --- the gamma function, by the three properties that are used (e.g. E. Artin, The Gamma Function, 1964) *)
Variable gamma : R -> R.
Hypothesis gamma_positive : forall x, x > 0 -> gamma x > 0.
Hypothesis gamma_one : gamma 1 = 1.
Hypothesis gamma_step : forall x, x > 0 -> gamma (x + 1) = x * gamma x.
Definition factorial (x : R) : R := gamma (x + 1).
Definition loggamma (x : R) : R := ln (gamma x).
Lemma factorial_gamma x : x > -1 -> factorial x = gamma (x + 1). Proof. reflexivity. Qed.
Lemma loggamma_log x : x > 0 -> loggamma x = ln (gamma x). Proof. reflexivity. Qed.

(* --- sums over the integers from a to b *)

Fixpoint sum_from (n : nat) (a : R) (f : R -> R) : R :=
  match n with O => 0 | S m => sum_from m a f + f (a + INR m) end.
Definition total (a b : R) (f : R -> R) : R := sum_from (Z.to_nat (Int_part (b - a) + 1)) a f.
Lemma total_constant a b c : integer (b - a) -> b - a >= -1 -> total a b (fun _ => c) = (b - a + 1) * c.
Proof.
  intros [n E] G. unfold total. rewrite E, Int_part_IZR.
  assert (N : (-1 <= n)%Z) by (apply le_IZR; lra).
  assert (T : forall m, sum_from m a (fun _ => c) = INR m * c).
  { induction m; [simpl; ring | rewrite S_INR; simpl; rewrite IHm; ring]. }
  rewrite T, INR_IZR_INZ, Z2Nat.id by lia. rewrite plus_IZR. ring.
Qed.

(* --- rules: sums *)

Lemma without (a s m l r : R) : a = s + m * (l - r) -> l = r -> a = s. Proof. intros -> ->. ring. Qed.
Lemma sum_gt a b s : a - b = s -> 0 < s -> a > b. Proof. lra. Qed.
Lemma sum_ge a b s : a - b = s -> 0 <= s -> a >= b. Proof. lra. Qed.
Lemma sum_ne a b s : a - b = s -> s <> 0 -> a <> b. Proof. lra. Qed.
Lemma sum_eq a b s : a - b = s -> s = 0 -> a = b. Proof. lra. Qed.

Lemma numerator d a b : d <> 0 -> d = a / b -> a <> 0.
Proof. intros D E Z. apply D. rewrite E, Z. unfold Rdiv. ring. Qed.

(* --- rules: logarithms of products of what is positive *)

Definition Log (a u : R) : Prop := 0 < a /\ ln a = u.
Lemma Log_one : Log 1 0. Proof. split; [lra | exact ln_1]. Qed.
Lemma Log_any a : 0 < a -> Log a (ln a). Proof. now split. Qed.
Lemma Log_exp a : Log (exp a) a. Proof. split; [apply exp_pos | apply ln_exp]. Qed.
Lemma Log_times a b u v : Log a u -> Log b v -> Log (a * b) (u + v).
Proof. intros [A <-] [B <-]. split; [now apply Rmult_lt_0_compat | now apply ln_mult]. Qed.
Lemma Log_inverse a u : Log a u -> Log (/ a) (- u).
Proof. intros [A <-]. split; [now apply Rinv_0_lt_compat | now apply ln_Rinv]. Qed.
Lemma Log_over a b u v : Log a u -> Log b v -> Log (a / b) (u - v).
Proof. intros A B. apply Log_times; [assumption | now apply Log_inverse]. Qed.
Lemma Log_pow a u n : Log a u -> Log (a ^ n) (INR n * u).
Proof. intros [A <-]. split; [now apply pow_lt | now apply ln_pow]. Qed.
Lemma Log_sqrt a u : Log a u -> Log (sqrt a) (u / 2).
Proof.
  intros [A <-]. split; [now apply sqrt_lt_R0 |]. pose proof (sqrt_lt_R0 a A) as P.
  rewrite <- (sqrt_sqrt a) at 2 by lra. rewrite ln_mult by assumption. field.
Qed.
Lemma Log_root n a u : Log a u -> Log (root n a) (/ INR n * u).
Proof. intros [A <-]. split; [now apply root_pos |]. unfold root. destruct (Rlt_dec 0 a); [apply ln_exp | easy]. Qed.
Lemma Log_power a b u : Log a u -> Log (power a b) (b * u).
Proof. intros [A <-]. split; [now apply power_positive | rewrite power_exp by assumption; apply ln_exp]. Qed.
Lemma Log_equal a b u v : Log a u -> Log b v -> u = v -> a = b.
Proof. intros [A E] [B F] H. apply ln_inv; congruence. Qed.
Ltac logs := lazymatch goal with
  | |- Log 1 _ => apply Log_one
  | |- Log (exp _) _ => apply Log_exp
  | |- Log (_ * _) _ => eapply Log_times; logs
  | |- Log (_ / _) _ => eapply Log_over; logs
  | |- Log (/ _) _ => eapply Log_inverse; logs
  | |- Log (_ ^ _) _ => eapply Log_pow; logs
  | |- Log (sqrt _) _ => eapply Log_sqrt; logs
  | |- Log (root _ _) _ => eapply Log_root; logs
  | |- Log (power _ _) _ => eapply Log_power; logs
  | |- _ => apply Log_any
  end.

(* --- rules: derivatives and continuity, by the structure of the expression *)

Lemma D_id x : is_derive (fun t : R => t) x 1. Proof. apply @is_derive_id. Qed.
Lemma D_const (c x : R) : is_derive (fun _ => c) x 0. Proof. apply @is_derive_const. Qed.
Lemma D_plus (f g : R -> R) x a b : is_derive f x a -> is_derive g x b -> is_derive (fun t => f t + g t) x (a + b).
Proof. intros. now apply (is_derive_plus f g). Qed.
Lemma D_opp (f : R -> R) x a : is_derive f x a -> is_derive (fun t => - f t) x (- a).
Proof. intros. now apply (is_derive_opp f). Qed.
Lemma D_minus (f g : R -> R) x a b : is_derive f x a -> is_derive g x b -> is_derive (fun t => f t - g t) x (a - b).
Proof. intros. now apply (is_derive_minus f g). Qed.
Lemma D_times (f g : R -> R) x a b :
  is_derive f x a -> is_derive g x b -> is_derive (fun t => f t * g t) x (a * g x + f x * b).
Proof. intros. apply (is_derive_mult f g); auto. intros; apply Rmult_comm. Qed.
Lemma D_inverse (f : R -> R) x a : is_derive f x a -> f x <> 0 -> is_derive (fun t => / f t) x (- a / f x ^ 2).
Proof. apply is_derive_inv. Qed.
Lemma D_over (f g : R -> R) x a b : is_derive f x a -> is_derive g x b -> g x <> 0 ->
  is_derive (fun t => f t / g t) x ((a * g x - f x * b) / g x ^ 2).
Proof. apply is_derive_div. Qed.
Lemma D_pow (f : R -> R) n x a : is_derive f x a -> is_derive (fun t => f t ^ n) x (INR n * a * f x ^ pred n).
Proof. apply is_derive_pow. Qed.
Lemma D_comp (g f : R -> R) x a b : is_derive f x a -> is_derive g (f x) b -> is_derive (fun t => g (f t)) x (a * b).
Proof. intros. now apply (is_derive_comp g f). Qed.
Lemma D_exp (f : R -> R) x a : is_derive f x a -> is_derive (fun t => exp (f t)) x (a * exp (f x)).
Proof. intro. apply (D_comp exp); [assumption | apply is_derive_Reals, derivable_pt_lim_exp]. Qed.
Lemma D_ln (f : R -> R) x a : is_derive f x a -> 0 < f x -> is_derive (fun t => ln (f t)) x (a * / f x).
Proof. intros. apply (D_comp ln); [assumption | now apply is_derive_Reals, derivable_pt_lim_ln]. Qed.
Lemma D_sqrt (f : R -> R) x a : is_derive f x a -> 0 < f x -> is_derive (fun t => sqrt (f t)) x (a * / (2 * sqrt (f x))).
Proof. intros. apply (D_comp sqrt); [assumption | now apply is_derive_Reals, derivable_pt_lim_sqrt]. Qed.
Lemma D_sinh (f : R -> R) x a : is_derive f x a -> is_derive (fun t => sinh (f t)) x (a * cosh (f x)).
Proof. intro. apply (D_comp sinh); [assumption | apply is_derive_Reals, derivable_pt_lim_sinh]. Qed.
Lemma D_cosh (f : R -> R) x a : is_derive f x a -> is_derive (fun t => cosh (f t)) x (a * sinh (f x)).
Proof. intro. apply (D_comp cosh); [assumption | apply is_derive_Reals, derivable_pt_lim_cosh]. Qed.
Lemma D_Phi (f : R -> R) x a : is_derive f x a -> is_derive (fun t => Phi (f t)) x (a * phi (f x)).
Proof. intro. apply (D_comp Phi); [assumption | apply Phi_derivative]. Qed.
Lemma D_phi (f : R -> R) x a : is_derive f x a -> is_derive (fun t => phi (f t)) x (a * (- f x * phi (f x))).
Proof. intro. apply (D_comp phi); [assumption | apply phi_derivative]. Qed.
Lemma D_atan (f : R -> R) x a : is_derive f x a -> is_derive (fun t => atan (f t)) x (a * (/ (1 + f x ^ 2))).
Proof. intro. apply (D_comp atan); [assumption | apply is_derive_Reals, derivable_pt_lim_atan]. Qed.
Lemma D_power (f : R -> R) e x a :
  is_derive f x a -> 0 < f x -> is_derive (fun t => power (f t) e) x (a * (e * power (f x) e / f x)).
Proof.
  intros D P. apply (D_comp (fun t => power t e)); [assumption |].
  apply (is_derive_ext_loc (fun t => exp (e * ln t))).
  - exists (mkposreal (f x) P). intros y B. rewrite power_exp; [reflexivity |].
    unfold ball in B; simpl in B. unfold AbsRing_ball, abs, minus, plus, opp in B; simpl in B. apply Rabs_def2 in B. lra.
  - rewrite power_exp by assumption. replace (e * exp (e * ln (f x)) / f x) with ((0 * ln (f x) + e * (1 * / f x)) * exp (e * ln (f x))) by (field; lra).
    apply (D_exp (fun t => e * ln t)), (D_times (fun _ => e)); [apply D_const | now apply (D_ln (fun t => t)); [apply D_id |]].
Qed.
Lemma D_powers (f g : R -> R) x a b : is_derive f x a -> is_derive g x b -> 0 < f x ->
  is_derive (fun t => power (f t) (g t)) x (power (f x) (g x) * (b * ln (f x) + g x * (a / f x))).
Proof.
  intros F G P. assert (C : continuous f x) by (apply (ex_derive_continuous f); now exists a).
  apply (is_derive_ext_loc (fun t => exp (g t * ln (f t)))).
  - destruct (C _ (open_gt 0 _ P)) as [d B]. exists d. intros t T. symmetry. apply power_exp, B, T.
  - rewrite power_exp by assumption. rewrite Rmult_comm.
    apply (D_exp (fun t => g t * ln (f t))). apply (D_times g (fun t => ln (f t))); [assumption | now apply D_ln].
Qed.
Lemma tanh_derivative x : is_derive tanh x (1 - tanh x ^ 2).
Proof.
  assert (P : cosh x <> 0). { unfold cosh. pose proof (exp_pos x). pose proof (exp_pos (- x)). lra. }
  unfold tanh. replace (1 - (sinh x / cosh x) ^ 2) with ((1 * cosh x * cosh x - sinh x * (1 * sinh x)) / cosh x ^ 2) by now field.
  apply (D_over sinh cosh); [apply (D_sinh (fun t => t)) | apply (D_cosh (fun t => t)) | assumption]; apply D_id.
Qed.
Lemma D_tanh (f : R -> R) x a : is_derive f x a -> is_derive (fun t => tanh (f t)) x (a * (1 - tanh (f x) ^ 2)).
Proof. intro. apply (D_comp tanh); [assumption | apply tanh_derivative]. Qed.
Ltac derive := lazymatch goal with
  | |- is_derive (fun _ => ?c) _ _ => apply D_const
  | |- is_derive (fun x => x) _ _ => apply D_id
  | |- is_derive (fun x => @?f x + @?g x) _ _ => eapply (D_plus f g); derive
  | |- is_derive (fun x => @?f x - @?g x) _ _ => eapply (D_minus f g); derive
  | |- is_derive (fun x => - @?f x) _ _ => eapply (D_opp f); derive
  | |- is_derive (fun x => @?f x * @?g x) _ _ => eapply (D_times f g); derive
  | |- is_derive (fun x => @?f x / @?g x) _ _ => eapply (D_over f g); derive
  | |- is_derive (fun x => / @?f x) _ _ => eapply (D_inverse f); derive
  | |- is_derive (fun x => @?f x ^ ?n) _ _ => eapply (D_pow f n); derive
  | |- is_derive (fun x => exp (@?f x)) _ _ => eapply (D_exp f); derive
  | |- is_derive (fun x => ln (@?f x)) _ _ => eapply (D_ln f); derive
  | |- is_derive (fun x => sqrt (@?f x)) _ _ => eapply (D_sqrt f); derive
  | |- is_derive (fun x => sinh (@?f x)) _ _ => eapply (D_sinh f); derive
  | |- is_derive (fun x => cosh (@?f x)) _ _ => eapply (D_cosh f); derive
  | |- is_derive (fun x => tanh (@?f x)) _ _ => eapply (D_tanh f); derive
  | |- is_derive (fun x => Phi (@?f x)) _ _ => eapply (D_Phi f); derive
  | |- is_derive (fun x => phi (@?f x)) _ _ => eapply (D_phi f); derive
  | |- is_derive (fun x => atan (@?f x)) _ _ => eapply (D_atan f); derive
  | |- is_derive (fun x => power (@?f x) (@?e x)) _ _ => lazymatch e with
      | fun _ => ?c => eapply (D_power f c); derive
      | _ => eapply (D_powers f e); derive
      end
  | |- _ => idtac
  end.

Lemma C_id x : continuous (fun t : R => t) x. Proof. apply continuous_id. Qed.
Lemma C_const (c x : R) : continuous (fun _ : R => c) x. Proof. apply continuous_const. Qed.
Lemma C_plus (f g : R -> R) x : continuous f x -> continuous g x -> continuous (fun t => f t + g t) x.
Proof. intros. now apply (continuous_plus f g). Qed.
Lemma C_opp (f : R -> R) x : continuous f x -> continuous (fun t => - f t) x.
Proof. intros. now apply (continuous_opp f). Qed.
Lemma C_minus (f g : R -> R) x : continuous f x -> continuous g x -> continuous (fun t => f t - g t) x.
Proof. intros. now apply (continuous_minus f g). Qed.
Lemma C_times (f g : R -> R) x : continuous f x -> continuous g x -> continuous (fun t => f t * g t) x.
Proof. intros. now apply (continuous_mult f g). Qed.
Lemma C_pow (f : R -> R) n x : continuous f x -> continuous (fun t => f t ^ n) x.
Proof. intro H. induction n; [apply C_const | now apply (C_times f (fun t => f t ^ n))]. Qed.
Lemma C_inverse (f : R -> R) x : continuous f x -> f x <> 0 -> continuous (fun t => / f t) x.
Proof. intros. apply (continuous_comp f Rinv); [assumption | now apply continuous_Rinv]. Qed.
Lemma C_over (f g : R -> R) x : continuous f x -> continuous g x -> g x <> 0 -> continuous (fun t => f t / g t) x.
Proof. intros. apply C_times; [assumption | now apply C_inverse]. Qed.
Lemma C_smooth (g : R -> R) d (f : R -> R) x : is_derive g (f x) d -> continuous f x -> continuous (fun t => g (f t)) x.
Proof. intros D C. apply (continuous_comp f g); [assumption | apply (ex_derive_continuous g); now exists d]. Qed.
Lemma C_exp (f : R -> R) x : continuous f x -> continuous (fun t => exp (f t)) x.
Proof. apply (C_smooth exp (exp (f x))), is_derive_Reals, derivable_pt_lim_exp. Qed.
Lemma C_ln (f : R -> R) x : continuous f x -> 0 < f x -> continuous (fun t => ln (f t)) x.
Proof. intros C P. apply (C_smooth ln (/ f x)); [now apply is_derive_Reals, derivable_pt_lim_ln | assumption]. Qed.
Lemma C_sqrt (f : R -> R) x : continuous f x -> continuous (fun t => sqrt (f t)) x.
Proof. intro. apply (continuous_comp f sqrt); [assumption | apply continuous_sqrt]. Qed.
Lemma C_sinh (f : R -> R) x : continuous f x -> continuous (fun t => sinh (f t)) x.
Proof. apply (C_smooth sinh (cosh (f x))), is_derive_Reals, derivable_pt_lim_sinh. Qed.
Lemma C_cosh (f : R -> R) x : continuous f x -> continuous (fun t => cosh (f t)) x.
Proof. apply (C_smooth cosh (sinh (f x))), is_derive_Reals, derivable_pt_lim_cosh. Qed.
Lemma C_Phi (f : R -> R) x : continuous f x -> continuous (fun t => Phi (f t)) x.
Proof. apply (C_smooth Phi (phi (f x))), Phi_derivative. Qed.
Lemma C_phi (f : R -> R) x : continuous f x -> continuous (fun t => phi (f t)) x.
Proof. apply (C_smooth phi (- f x * phi (f x))), phi_derivative. Qed.
Lemma C_atan (f : R -> R) x : continuous f x -> continuous (fun t => atan (f t)) x.
Proof. eapply (C_smooth atan), is_derive_Reals, derivable_pt_lim_atan. Qed.
Lemma C_abs (f : R -> R) x : continuous f x -> continuous (fun t => Rabs (f t)) x.
Proof. intro. apply (continuous_comp f Rabs); [assumption | apply continuous_Rabs]. Qed.
Lemma C_power (f : R -> R) e x : continuous f x -> 0 < f x -> continuous (fun t => power (f t) e) x.
Proof.
  intros C P. apply (C_smooth (fun t => power t e) (1 * (e * power (f x) e / f x))); [| assumption].
  apply (D_power (fun t => t)); [apply D_id | assumption].
Qed.
Lemma C_powers (f g : R -> R) x :
  continuous f x -> continuous g x -> 0 < f x -> continuous (fun t => power (f t) (g t)) x.
Proof.
  intros C D P. apply (continuous_ext_loc _ (fun t => exp (g t * ln (f t)))).
  - destruct (C _ (open_gt 0 _ P)) as [d B]. exists d. intros t T. symmetry. apply power_exp, B, T.
  - apply (C_exp (fun t => g t * ln (f t))), C_times; [assumption | now apply C_ln].
Qed.
Lemma C_root n (f : R -> R) x : continuous f x -> 0 < f x -> continuous (fun t => root n (f t)) x.
Proof.
  intros C P. apply (continuous_ext_loc _ (fun t => exp (/ INR n * ln (f t)))).
  - destruct (C _ (open_gt 0 _ P)) as [d B]. exists d. intros t T. symmetry. apply root_exp, B, T.
  - apply (C_exp (fun t => / INR n * ln (f t))), C_times; [apply C_const | now apply C_ln].
Qed.
Lemma C_tanh (f : R -> R) x : continuous f x -> continuous (fun t => tanh (f t)) x.
Proof. apply (C_smooth tanh (1 - tanh (f x) ^ 2)), tanh_derivative. Qed.
Lemma C_max (f g : R -> R) x : continuous f x -> continuous g x -> continuous (fun t => Rmax (f t) (g t)) x.
Proof.
  intros C D. apply (continuous_ext (fun t => (f t + g t + Rabs (f t - g t)) * / 2)); [intro; symmetry; apply max_abs |].
  apply C_times; [| apply C_const]. apply C_plus; [now apply C_plus | now apply (C_abs (fun t => f t - g t)), C_minus].
Qed.
Lemma C_min (f g : R -> R) x : continuous f x -> continuous g x -> continuous (fun t => Rmin (f t) (g t)) x.
Proof.
  intros C D. apply (continuous_ext (fun t => (f t + g t - Rabs (f t - g t)) * / 2)); [intro; symmetry; apply min_abs |].
  apply C_times; [| apply C_const]. apply C_minus; [now apply C_plus | now apply (C_abs (fun t => f t - g t)), C_minus].
Qed.
Ltac continuity_by_parts := lazymatch goal with
  | |- continuous (fun _ => ?c) _ => apply C_const
  | |- continuous (fun x => x) _ => apply C_id
  | |- continuous (fun x => @?f x + @?g x) _ => apply (C_plus f g); continuity_by_parts
  | |- continuous (fun x => @?f x - @?g x) _ => apply (C_minus f g); continuity_by_parts
  | |- continuous (fun x => - @?f x) _ => apply (C_opp f); continuity_by_parts
  | |- continuous (fun x => @?f x * @?g x) _ => apply (C_times f g); continuity_by_parts
  | |- continuous (fun x => @?f x / @?g x) _ => apply (C_over f g); continuity_by_parts
  | |- continuous (fun x => / @?f x) _ => apply (C_inverse f); continuity_by_parts
  | |- continuous (fun x => @?f x ^ ?n) _ => apply (C_pow f n); continuity_by_parts
  | |- continuous (fun x => exp (@?f x)) _ => apply (C_exp f); continuity_by_parts
  | |- continuous (fun x => ln (@?f x)) _ => apply (C_ln f); continuity_by_parts
  | |- continuous (fun x => sqrt (@?f x)) _ => apply (C_sqrt f); continuity_by_parts
  | |- continuous (fun x => sinh (@?f x)) _ => apply (C_sinh f); continuity_by_parts
  | |- continuous (fun x => cosh (@?f x)) _ => apply (C_cosh f); continuity_by_parts
  | |- continuous (fun x => Phi (@?f x)) _ => apply (C_Phi f); continuity_by_parts
  | |- continuous (fun x => phi (@?f x)) _ => apply (C_phi f); continuity_by_parts
  | |- continuous (fun x => atan (@?f x)) _ => apply (C_atan f); continuity_by_parts
  | |- continuous (fun x => Rabs (@?f x)) _ => apply (C_abs f); continuity_by_parts
  | |- continuous (fun x => tanh (@?f x)) _ => apply (C_tanh f); continuity_by_parts
  | |- continuous (fun x => Rmax (@?f x) (@?g x)) _ => apply (C_max f g); continuity_by_parts
  | |- continuous (fun x => Rmin (@?f x) (@?g x)) _ => apply (C_min f g); continuity_by_parts
  | |- continuous (fun x => root ?n (@?f x)) _ => apply (C_root n f); continuity_by_parts
  | |- continuous (fun x => power (@?f x) (@?g x)) _ => apply (C_powers f g); continuity_by_parts
  | |- _ => idtac
  end.

(* --- rules: functions that rise or fall *)

Lemma rises (f df : R -> R) a b : a <= b ->
  (forall t, a < t < b -> is_derive f t (df t)) -> (forall t, a < t < b -> 0 <= df t) ->
  continuous f a -> continuous f b -> f a <= f b.
Proof.
  intros [H| ->] D P A B; [| lra].
  assert (C : forall t, a <= t <= b -> continuity_pt f t).
  { intros t T. apply continuity_pt_filterlim. destruct (Req_dec t a) as [->|]; [exact A |].
    destruct (Req_dec t b) as [->|]; [exact B |]. apply (ex_derive_continuous f). exists (df t). apply D. lra. }
  assert (pr : forall t, a < t < b -> derivable_pt f t).
  { intros t T. exists (df t). now apply is_derive_Reals, D. }
  destruct (MVT f id a b pr (fun t _ => derivable_pt_id t) H C) as [c [I E]].
  { intros. apply derivable_continuous_pt, derivable_pt_id. }
  replace (derive_pt id c _) with 1 in E by (symmetry; apply derive_pt_id).
  assert (G : derive_pt f c (pr c I) = df c) by (apply derive_pt_eq_0; now apply is_derive_Reals, D).
  rewrite G in E. unfold id in E. pose proof (P c I). nra.
Qed.
Lemma rises_strictly (f df : R -> R) a b : a < b ->
  (forall t, a < t < b -> is_derive f t (df t)) -> (forall t, a < t < b -> 0 < df t) ->
  continuous f a -> continuous f b -> f a < f b.
Proof.
  intros H D P A B. set (m := (a + b) / 2). assert (M : a < m < b) by (unfold m; lra).
  assert (S : forall t, a < t < b -> continuous f t).
  { intros t T. apply (ex_derive_continuous f). exists (df t). now apply D. }
  destruct (MVT_gen f ((a + m) / 2) m df) as [c [I E]].
  { intros t T. apply D. rewrite Rmin_left, Rmax_right in T; lra. }
  { intros t T. rewrite Rmin_left, Rmax_right in T by lra. apply continuity_pt_filterlim, S. lra. }
  rewrite Rmin_left, Rmax_right in I by lra. pose proof (P c ltac:(lra)).
  assert (f a <= f ((a + m) / 2)).
  { apply (rises f df); try lra; try assumption; [| | apply S; lra]; intros t T; [apply D | left; apply P]; lra. }
  assert (f m <= f b).
  { apply (rises f df); try lra; try assumption; [| | apply S; lra]; intros t T; [apply D | left; apply P]; lra. }
  nra.
Qed.
Lemma falls (f df : R -> R) a b : a <= b ->
  (forall t, a < t < b -> is_derive f t (df t)) -> (forall t, a < t < b -> df t <= 0) ->
  continuous f a -> continuous f b -> f b <= f a.
Proof.
  intros H D P A B. apply Ropp_le_cancel. apply (rises (fun t => - f t) (fun t => - df t)); auto using C_opp.
  - intros. apply D_opp. auto.
  - intros t T. pose proof (P t T). lra.
Qed.
Lemma falls_strictly (f df : R -> R) a b : a < b ->
  (forall t, a < t < b -> is_derive f t (df t)) -> (forall t, a < t < b -> df t < 0) ->
  continuous f a -> continuous f b -> f b < f a.
Proof.
  intros H D P A B. apply Ropp_lt_cancel. apply (rises_strictly (fun t => - f t) (fun t => - df t)); auto using C_opp.
  - intros. apply D_opp. auto.
  - intros t T. pose proof (P t T). lra.
Qed.

(* it falls towards its limit *)
Lemma falls_to (f df : R -> R) x l : (forall t, x < t -> is_derive f t (df t)) -> (forall t, x < t -> df t <= 0) ->
  continuous f x -> is_lim f p_infty (Finite l) -> l <= f x.
Proof.
  intros D P C L. apply (is_lim_le_loc f (fun _ => f x) p_infty l (f x)); [| exact L | apply is_lim_const].
  exists x. intros y Y. apply (falls f df); [lra | intros; apply D; lra | intros; apply P; lra | assumption |].
  apply (ex_derive_continuous f). exists (df y). now apply D.
Qed.
Lemma T_const (c : R) : is_lim (fun _ => c) p_infty (Finite c). Proof. apply is_lim_const. Qed.
Lemma T_id : is_lim (fun t => t) p_infty p_infty. Proof. apply is_lim_id. Qed.
Lemma T_plus (f g : R -> R) a b : is_lim f p_infty (Finite a) -> is_lim g p_infty (Finite b) ->
  is_lim (fun t => f t + g t) p_infty (Finite (a + b)).
Proof. intros. now apply (is_lim_plus' f g). Qed.
Lemma T_minus (f g : R -> R) a b : is_lim f p_infty (Finite a) -> is_lim g p_infty (Finite b) ->
  is_lim (fun t => f t - g t) p_infty (Finite (a + b * (-1))).
Proof. intros. replace (a + b * (-1)) with (a - b) by ring. now apply (is_lim_minus' f g). Qed.
Lemma T_opp (f : R -> R) a : is_lim f p_infty (Finite a) -> is_lim (fun t => - f t) p_infty (Finite (- a)).
Proof. intro H. apply (is_lim_opp f p_infty a H). Qed.
Lemma T_opp_infinite (f : R -> R) : is_lim f p_infty p_infty -> is_lim (fun t => - f t) p_infty m_infty.
Proof. intro H. apply (is_lim_opp f p_infty p_infty H). Qed.
Lemma T_times (f g : R -> R) a b : is_lim f p_infty (Finite a) -> is_lim g p_infty (Finite b) ->
  is_lim (fun t => f t * g t) p_infty (Finite (a * b)).
Proof. intros F G. apply (is_lim_mult f g p_infty a b F G). exact I. Qed.
Lemma T_over_infinite (f g : R -> R) a : is_lim f p_infty (Finite a) -> is_lim g p_infty p_infty ->
  is_lim (fun t => f t / g t) p_infty (Finite (a * 0)).
Proof.
  intros F G. apply (is_lim_mult f (fun t => / g t) p_infty a 0 F); [| exact I].
  apply (is_lim_inv g p_infty p_infty G). discriminate.
Qed.
Lemma T_smooth (g f : R -> R) a : is_lim f p_infty (Finite a) -> continuous g a ->
  is_lim (fun t => g (f t)) p_infty (Finite (g a)).
Proof. intros F C. apply (is_lim_comp_continuous f g p_infty a); assumption. Qed.
Lemma T_power (f : R -> R) e a : is_lim f p_infty (Finite a) -> 0 < a ->
  is_lim (fun t => power (f t) e) p_infty (Finite (exp (e * ln a))).
Proof.
  intros F P. rewrite <- power_exp by assumption. apply (T_smooth (fun u => power u e)); [assumption |].
  apply (C_power (fun u => u)); [apply C_id | assumption].
Qed.
Lemma T_after (g f : R -> R) c : is_lim g m_infty (Finite c) -> is_lim f p_infty m_infty ->
  is_lim (fun t => g (f t)) p_infty (Finite c).
Proof. intros G F. apply (is_lim_comp g f p_infty c m_infty); auto. exists 0. intros; discriminate. Qed.
Lemma T_exp (f : R -> R) : is_lim f p_infty m_infty -> is_lim (fun t => exp (f t)) p_infty (Finite 0).
Proof. apply T_after, is_lim_exp_m. Qed.
Lemma phi_far : is_lim phi p_infty 0.
Proof.
  apply (is_lim_le_le_loc (fun _ => 0) (fun t => 2 * / t)).
  - exists 2. intros t T. pose proof (phi_positive t). split; [lra |].
    unfold phi. assert (1 <= sqrt (2 * PI)).
    { rewrite <- sqrt_1. apply sqrt_le_1; pose proof pi_above; lra. }
    assert (E : exp (- t ^ 2 / 2) <= 2 * / t).
    { replace (- t ^ 2 / 2) with (- (t ^ 2 / 2)) by field. rewrite exp_Ropp.
      pose proof (exp_ineq1_le (t ^ 2 / 2)).
      replace (2 * / t) with (/ (t / 2)) by (field; lra). apply Rinv_le_contravar; [lra | nra]. }
    apply Rle_trans with (exp (- t ^ 2 / 2)); [| assumption]. pose proof (exp_pos (- t ^ 2 / 2)). apply Rmult_le_reg_r with (sqrt (2 * PI)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
  - apply is_lim_const.
  - replace (Finite 0) with (Rbar_mult 2 (Rbar_inv p_infty)) by (simpl; f_equal; ring).
    apply (is_lim_scal_l (fun t => / t) 2 p_infty (Rbar_inv p_infty)). apply is_lim_inv; [apply is_lim_id | discriminate].
Qed.
Lemma T_phi (f : R -> R) : is_lim f p_infty p_infty -> is_lim (fun t => phi (f t)) p_infty (Finite 0).
Proof. intro F. apply (is_lim_comp phi f p_infty 0 p_infty); [apply phi_far | exact F |]. exists 0. intros; discriminate. Qed.
Lemma T_Phi (f : R -> R) : is_lim f p_infty m_infty -> is_lim (fun t => Phi (f t)) p_infty (Finite 0).
Proof. apply T_after, Phi_lower. Qed.
Ltac limits := lazymatch goal with
  | |- is_lim (fun _ => ?c) p_infty (Finite _) => apply T_const
  | |- is_lim (fun t => t) p_infty p_infty => apply T_id
  | |- is_lim (fun t => - @?f t) p_infty m_infty => apply (T_opp_infinite f); limits
  | |- is_lim (fun t => @?f t + @?g t) p_infty (Finite _) => apply (T_plus f g); limits
  | |- is_lim (fun t => @?f t - @?g t) p_infty (Finite _) => apply (T_minus f g); limits
  | |- is_lim (fun t => - @?f t) p_infty (Finite _) => apply (T_opp f); limits
  | |- is_lim (fun t => @?f t * @?g t) p_infty (Finite _) => apply (T_times f g); limits
  | |- is_lim (fun t => @?f t / @?g t) p_infty (Finite _) => apply (T_over_infinite f g); limits
  | |- is_lim (fun t => exp (@?f t)) p_infty (Finite _) => apply (T_exp f); limits
  | |- is_lim (fun t => phi (@?f t)) p_infty (Finite _) => apply (T_phi f); limits
  | |- is_lim (fun t => Phi (@?f t)) p_infty (Finite _) => apply (T_Phi f); limits
  | |- is_lim (fun t => power (@?f t) ?e) p_infty (Finite _) => apply (T_power f e); [limits | lra]
  end.

(* it rises, then falls *)
Lemma turning (f g p df dg : R -> R) a b x : a <= x <= b ->
  (forall t, a < t < b -> is_derive f t (df t) /\ is_derive g t (dg t) /\ df t = p t * g t /\ p t >= 0 /\ dg t <= 0) ->
  continuous f a -> continuous f b -> f a <= f x \/ f b <= f x.
Proof.
  intros X D A B. destruct (Req_dec x a) as [->|]; [lra |]. destruct (Req_dec x b) as [->|]; [lra |].
  assert (C : continuous f x). { apply (ex_derive_continuous f). exists (df x). apply D. lra. }
  assert (G : forall t, a < t < b -> continuous g t).
  { intros t T. apply (ex_derive_continuous g). exists (dg t). apply D. lra. }
  destruct (Rle_or_lt 0 (g x)) as [P|N]; [left | right].
  - apply (rises f df); auto; [lra | intros; apply D; lra | intros t T].
    destruct (D t ltac:(lra)) as [_ [_ [-> [Q _]]]]. apply Rmult_le_pos; [lra |]. apply Rle_trans with (g x); [assumption |].
    apply (falls g dg); [lra | intros; apply D; lra | intros; apply D; lra | apply G; lra | apply G; lra].
  - apply (falls f df); auto; [lra | intros; apply D; lra | intros t T].
    destruct (D t ltac:(lra)) as [_ [_ [-> [Q _]]]]. assert (g t <= g x); [| nra].
    apply (falls g dg); [lra | intros; apply D; lra | intros; apply D; lra | apply G; lra | apply G; lra].
Qed.

(* --- rules: what holds between the ends holds at the ends *)

Lemma closure (f : R -> R) a b x : a < b -> a <= x <= b ->
  (forall t, a < t < b -> 0 <= f t) -> continuous f x -> 0 <= f x.
Proof.
  intros L X P C. destruct (Rle_or_lt 0 (f x)) as [|N]; [assumption | exfalso].
  destruct (C _ (open_lt 0 _ N)) as [d D].
  assert (B : forall t, x - d < t < x + d -> f t < 0).
  { intros t T. apply D. unfold ball; simpl. unfold AbsRing_ball, abs, minus, plus, opp; simpl. apply Rabs_def1; lra. }
  pose proof (cond_pos d). pose proof (Rmin_l d (b - a)). pose proof (Rmin_r d (b - a)).
  assert (0 < Rmin d (b - a)) by (apply Rmin_pos; lra).
  destruct (Rlt_or_le x ((a + b) / 2)).
  - assert (T : a < x + Rmin d (b - a) / 4 < b) by lra. pose proof (P _ T). pose proof (B (x + Rmin d (b - a) / 4) ltac:(lra)). lra.
  - assert (T : a < x - Rmin d (b - a) / 4 < b) by lra. pose proof (P _ T). pose proof (B (x - Rmin d (b - a) / 4) ltac:(lra)). lra.
Qed.
Lemma closure_equal (f : R -> R) a b x : a < b -> a <= x <= b ->
  (forall t, a < t < b -> 0 = f t) -> continuous f x -> 0 = f x.
Proof.
  intros L X P C. apply Rle_antisym.
  - apply (closure f a b); auto. intros t T. rewrite <- (P t T). lra.
  - apply Ropp_le_cancel. rewrite Ropp_0. apply (closure (fun t => - f t) a b); auto using C_opp.
    intros t T. rewrite <- (P t T). lra.
Qed.

(* --- rules: expectations, by the properties that are used.  Every random variable gives such a law: `expects f u` says
   that f of it has the finite expectation u, and `support` is some set in which its values lie with probability 1. *)

Record law : Type := {
  expects : (R -> R) -> R -> Prop;
  support : R -> Prop;
  expects_constant : forall c, expects (fun _ => c) c;
  expects_plus : forall f g u v, expects f u -> expects g v -> expects (fun z => f z + g z) (u + v);
  expects_scaled : forall c f u, expects f u -> expects (fun z => c * f z) (c * u);
  expects_same : forall f g u, (forall z, support z -> f z = g z) -> expects f u -> expects g u;
  expects_nonnegative : forall f u, (forall z, support z -> 0 <= f z) -> expects f u -> 0 <= u;
  expects_positive : forall f u, (forall z, support z -> 0 < f z) -> expects f u -> 0 < u
}.
(* there are such: a variable with one value *)
Definition point (a : R) : law.
Proof.
  refine (Build_law (fun f u => f a = u) (fun z => z = a) _ _ _ _ _ _); try congruence.
  - intros f g u E <-. symmetry. now apply E.
  - intros f u P <-. now apply P.
  - intros f u P <-. now apply P.
Defined.

Lemma expects_opp (X : law) f u : expects X f u -> expects X (fun z => - f z) (- u).
Proof.
  intro E. replace (- u) with (-1 * u) by ring. apply (expects_same X (fun z => -1 * f z)); [intros; ring |].
  now apply expects_scaled.
Qed.
Lemma expects_minus (X : law) f g u v : expects X f u -> expects X g v -> expects X (fun z => f z - g z) (u - v).
Proof. intros. apply (expects_plus X f (fun z => - g z)); [assumption | now apply expects_opp]. Qed.
Lemma expects_times (X : law) f u c : expects X f u -> expects X (fun z => f z * c) (u * c).
Proof.
  intro E. rewrite Rmult_comm. apply (expects_same X (fun z => c * f z)); [intros; ring |]. now apply expects_scaled.
Qed.
Lemma expects_over (X : law) f u c : expects X f u -> expects X (fun z => f z / c) (u / c).
Proof. apply expects_times. Qed.
Lemma expects_le (X : law) f g u v :
  (forall z, support X z -> f z <= g z) -> expects X f u -> expects X g v -> u <= v.
Proof.
  intros L E F. apply Rminus_le_0. apply (expects_nonnegative X (fun z => g z - f z)); [| now apply expects_minus].
  intros z Z. pose proof (L z Z). lra.
Qed.
Lemma expects_lt (X : law) f g u v :
  (forall z, support X z -> f z < g z) -> expects X f u -> expects X g v -> u < v.
Proof.
  intros L E F. apply Rminus_gt_0_lt. apply (expects_positive X (fun z => g z - f z)); [| now apply expects_minus].
  intros z Z. pose proof (L z Z). lra.
Qed.
Lemma expects_ge (X : law) f g u v :
  (forall z, support X z -> f z >= g z) -> expects X f u -> expects X g v -> u >= v.
Proof. intros L E F. apply Rle_ge, (expects_le X g f); auto. intros. now apply Rge_le, L. Qed.
Lemma expects_gt (X : law) f g u v :
  (forall z, support X z -> f z > g z) -> expects X f u -> expects X g v -> u > v.
Proof. intros L E F. now apply (expects_lt X g f). Qed.
Lemma expects_eq (X : law) f g u v :
  (forall z, support X z -> f z = g z) -> expects X f u -> expects X g v -> u = v.
Proof.
  intros L E F. apply Rle_antisym; [apply (expects_le X f g) | apply (expects_le X g f)]; auto; intros z Z;
    rewrite (L z Z); apply Rle_refl.
Qed.
Ltac expecting := first
  [ assumption
  | apply expects_constant
  | lazymatch goal with
    | |- expects ?X (fun z => @?f z + @?g z) _ => apply (expects_plus X f g); expecting
    | |- expects ?X (fun z => @?f z - @?g z) _ => apply (expects_minus X f g); expecting
    | |- expects ?X (fun z => - @?f z) _ => apply (expects_opp X f); expecting
    | |- expects ?X (fun z => ?c * @?f z) _ => apply (expects_scaled X c f); expecting
    | |- expects ?X (fun z => @?f z * ?c) _ => apply (expects_times X f _ c); expecting
    | |- expects ?X (fun z => @?f z / ?c) _ => apply (expects_over X f _ c); expecting
    end ].

(* --- tactics: each does what a rule says, with facts that are named *)

Lemma base_nonzero a n : a ^ S n <> 0 -> a <> 0.
Proof. intros N E. apply N. rewrite E. apply pow_i. lia. Qed.
Ltac positive := match goal with
  | |- _ => assumption
  | H : ?a > 0 |- 0 < ?a => exact H
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < PI => exact PI_RGT_0
  | |- 0 < _ + _ => first [ apply Rplus_lt_le_0_compat; [positive | nonnegative]
                          | apply Rplus_le_lt_0_compat; [nonnegative | positive] ]
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; positive
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; positive
  | |- 0 < / _ => apply Rinv_0_lt_compat; positive
  | |- 0 < ?a ^ 2 => first [ apply pow_lt; positive | apply pow2_gt_0; assumption ]
  | |- 0 < ?a ^ _ => apply pow_lt; positive
  | |- 0 < sqrt _ => apply sqrt_lt_R0; positive
  | |- 0 < root _ _ => apply root_pos; positive
  | |- _ => lra
  end
with nonnegative := match goal with
  | |- _ => assumption
  | H : ?a >= 0 |- 0 <= ?a => apply Rge_le; exact H
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; nonnegative
  | |- 0 <= ?a ^ 2 => apply pow2_ge_0
  | |- 0 <= ?a ^ 4 => replace (a ^ 4) with ((a ^ 2) ^ 2) by ring; apply pow2_ge_0
  | |- 0 <= _ ^ _ => apply pow_le; nonnegative
  | |- 0 <= _ * _ => apply Rmult_le_pos; nonnegative
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= root _ _ => apply root_nonneg
  | |- _ => left; positive
  | |- _ => lra
  end.
Ltac nonzero := match goal with
  | |- _ => assumption
  | |- _ * _ <> 0 => apply Rmult_integral_contrapositive_currified; nonzero
  | |- / _ <> 0 => apply Rinv_neq_0_compat; nonzero
  | |- _ / _ <> 0 => apply Rmult_integral_contrapositive_currified; [nonzero | apply Rinv_neq_0_compat; nonzero]
  | |- _ ^ _ <> 0 => apply pow_nonzero; nonzero
  | |- _ => apply Rgt_not_eq, Rlt_gt; positive
  | |- _ => intro; lra
  | H : ?a ^ _ <> 0 |- ?a <> 0 => exact (base_nonzero _ _ H)
  | H : _ <> _ |- _ => intro; apply H; lra
  | H : ?a <> 0 |- _ => lazymatch a with context [ _ / _ ] =>
      intro; apply H; field_simplify_eq; [ lra | repeat split; nonzero ] end
  end.
Ltac sides := repeat split; first [ nonzero | positive | lra ].
Ltac identity := first [ ring | field; sides ].
Ltac by_fact F := first [ exact F | lra | intro; lra | intro; apply F; lra ].
(* with a precision, so that no floats of the machine are used *)
Ltac enclosed := interval with (i_prec 64).
Ltac number := rewrite ?root_exp by first [ lra | enclosed ]; simpl INR;
  first [ lra | intro; lra | enclosed | apply Rlt_not_eq; enclosed | apply Rgt_not_eq; enclosed
        | unfold Phi, phi; integral with (i_prec 64) ].
Ltac integrally := lazymatch goal with
  | H : integer ?x |- integer ?x => exact H
  | |- integer (IZR _) => apply integer_number
  | |- integer (_ + _) => apply integer_plus; integrally
  | |- integer (_ - _) => apply integer_minus; integrally
  | |- integer (_ * _) => apply integer_times; integrally
  | |- integer (- _) => apply integer_opp; integrally
  | |- integer (_ ^ _) => apply integer_pow; integrally
  end.
(* an expression at an end, where powers with a moving exponent are powers with a number *)
Ltac moved H := first [ exact H
  | cbv beta in H; rewrite ?power_0, ?power_1, ?power_2 in H; first [ exact H | lra | destruct H; [left | right]; lra ] ].

(* hypotheses at a point *)
Ltac met := first
  [ lra
  | apply integer_number
  | number
  | nonzero
  | progress unfold Rmax, Rmin, Rabs;
    repeat match goal with |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
                         | |- context [Rcase_abs ?a] => destruct (Rcase_abs a) end; first [ lra | enclosed ]
  | cbv beta iota delta [expects point]; first [ reflexivity | lra | field; sides | repeat (progress f_equal); lra ]
  | let E := fresh in intros ? E; cbv beta iota delta [support point] in E; subst; first [ lra | enclosed ] ].
