(* --- binders, in the files that speak of them: an integral is the limit of Riemann integrals from inside the range *)

Definition above (a : Rbar) := match a with Finite x => at_right x | _ => Rbar_locally a end.
Definition below (b : Rbar) := match b with Finite x => at_left x | _ => Rbar_locally b end.
Definition is_integral (f : R -> R) (a b : Rbar) (v : R) : Prop :=
  (a = b /\ v = 0) \/ (Rbar_lt a b /\ is_RInt_gen f (above a) (below b) v).
Definition has_integral (f : R -> R) (a b : Rbar) : Prop := exists v, is_integral f a b v.
Definition integral (f : R -> R) (a b : Rbar) : R := iota (is_integral f a b).

Global Instance above_proper a : ProperFilter (above a).
Proof. destruct a; typeclasses eauto. Qed.
Global Instance below_proper a : ProperFilter (below a).
Proof. destruct a; typeclasses eauto. Qed.

Lemma above_inside (a b : Rbar) : Rbar_lt a b -> above a (fun t : R => Rbar_lt a t /\ Rbar_lt t b).
Proof.
  destruct a as [a| |]; [| easy |]; destruct b as [b| |]; simpl; intro L; try easy.
  - assert (P : 0 < b - a) by lra. exists (mkposreal _ P). intros y B Y. apply Rabs_def2 in B.
    unfold minus, plus, opp in B; simpl in B. lra.
  - exists (mkposreal 1 Rlt_0_1). intros; split; [assumption | exact I].
  - exists b. intros; split; [exact I | assumption].
  - exists 0. intros; split; exact I.
Qed.
Lemma below_inside (a b : Rbar) : Rbar_lt a b -> below b (fun t : R => Rbar_lt a t /\ Rbar_lt t b).
Proof.
  destruct a as [a| |]; [| easy |]; destruct b as [b| |]; simpl; intro L; try easy.
  - assert (P : 0 < b - a) by lra. exists (mkposreal _ P). intros y B Y. apply Rabs_def2 in B.
    unfold minus, plus, opp in B; simpl in B. lra.
  - exists a. intros; split; [assumption | exact I].
  - exists (mkposreal 1 Rlt_0_1). intros; split; [exact I | assumption].
  - exists 0. intros; split; exact I.
Qed.
Lemma between a b (x y t : R) : Rbar_lt a (Finite x) /\ Rbar_lt (Finite x) b -> Rbar_lt a (Finite y) /\ Rbar_lt (Finite y) b ->
  Rmin x y <= t <= Rmax x y -> Rbar_lt a (Finite t) /\ Rbar_lt (Finite t) b.
Proof.
  intros X Y T. assert (H : x <= t <= y \/ y <= t <= x).
  { unfold Rmin, Rmax in T. destruct (Rle_dec x y); lra. }
  destruct a as [a| |], b as [b| |]; simpl in *; intuition lra.
Qed.

Lemma integral_is f a b v : is_integral f a b v -> integral f a b = v.
Proof.
  intro H. apply (iota_unique (V := R_CompleteNormedModule) (is_integral f a b)); [| assumption]. intros w W. destruct H as [[E ->]|[L H]], W as [[F ->]|[M W]].
  - reflexivity.
  - subst b. destruct a; simpl in M; lra.
  - subst b. destruct a; simpl in L; lra.
  - rewrite <- (is_RInt_gen_unique _ _ H), <- (is_RInt_gen_unique _ _ W). reflexivity.
Qed.

Lemma limit_of_integrals (f F : R -> R) (a b : Rbar) (la lb : R) : Rbar_lt a b ->
  (forall x y : R, Rbar_lt a x /\ Rbar_lt x b -> Rbar_lt a y /\ Rbar_lt y b -> is_RInt f x y (F y - F x)) ->
  filterlim F (above a) (locally la) -> filterlim F (below b) (locally lb) -> is_integral f a b (lb - la).
Proof.
  intros L P A B. right. split; [assumption |]. intros Q [e E].
  assert (HA : above a (fun x => ball la (pos_div_2 e) (F x))) by apply (A _ (locally_ball la (pos_div_2 e))).
  assert (HB : below b (fun x => ball lb (pos_div_2 e) (F x))) by apply (B _ (locally_ball lb (pos_div_2 e))).
  unfold filtermapi.
  apply (Filter_prod _ _ _ _ _ (filter_and _ _ HA (above_inside a b L)) (filter_and _ _ HB (below_inside a b L))).
  intros x y [X X'] [Y Y']. exists (F y - F x). split; [now apply P |]. apply E. unfold ball in *; simpl in *.
  unfold AbsRing_ball in *. simpl in *. unfold abs in *; simpl in *. apply Rabs_def2 in X. apply Rabs_def2 in Y. unfold minus, plus, opp in X, Y; simpl in X, Y.
  apply Rabs_def1; unfold minus, plus, opp; simpl; lra.
Qed.

(* by an antiderivative *)
Lemma integral_by (f F : R -> R) (a b : Rbar) (la lb : R) : Rbar_lt a b ->
  (forall t : R, Rbar_lt a t /\ Rbar_lt t b -> is_derive F t (f t) /\ continuous f t) ->
  filterlim F (above a) (locally la) -> filterlim F (below b) (locally lb) -> is_integral f a b (lb - la).
Proof.
  intros L D A B. apply (limit_of_integrals f F); auto. intros x y X Y.
  apply (is_RInt_derive F f); intros t T; apply D; now apply (between a b x y).
Qed.
Lemma integral_by_closed (f F : R -> R) (a b : R) : a <= b ->
  (forall t : R, Rbar_lt a t /\ Rbar_lt t b -> is_derive F t (f t) /\ continuous f t) ->
  continuous F a -> continuous F b -> is_integral f a b (F b - F a).
Proof.
  intros [L|<-] D A B.
  - apply (integral_by f F); auto.
    + intros P H. apply A in H. destruct H as [e E]. exists e. intros y Y _. now apply E.
    + intros P H. apply B in H. destruct H as [e E]. exists e. intros y Y _. now apply E.
  - left. split; [reflexivity | ring].
Qed.

(* limits of an antiderivative at an end *)
Lemma above_here (F : R -> R) (a : R) : continuous F a -> filterlim F (above a) (locally (F a)).
Proof. intros C P H. apply C in H. destruct H as [e E]. exists e. intros y Y _. now apply E. Qed.
Lemma below_here (F : R -> R) (b : R) : continuous F b -> filterlim F (below b) (locally (F b)).
Proof. intros C P H. apply C in H. destruct H as [e E]. exists e. intros y Y _. now apply E. Qed.
Lemma below_far (F : R -> R) l : is_lim F p_infty (Finite l) -> filterlim F (below p_infty) (locally l).
Proof. intro H. exact H. Qed.
Lemma above_far (F : R -> R) l : is_lim (fun t => F (- t)) p_infty (Finite l) -> filterlim F (above m_infty) (locally l).
Proof.
  intros H P Q. destruct (H P Q) as [M N]. exists (- M). intros x X.
  replace x with (- - x) by ring. apply N. lra.
Qed.

(* the same function in the range, and the range in two *)
Lemma integral_same (f g : R -> R) a b v : (forall t : R, Rbar_lt a t /\ Rbar_lt t b -> f t = g t) ->
  is_integral g a b v -> is_integral f a b v.
Proof.
  intros S [E|[L H]]; [now left | right]. split; [assumption |].
  apply (is_RInt_gen_ext g); [| assumption].
  apply (Filter_prod _ _ _ _ _ (above_inside a b L) (below_inside a b L)).
  intros x y X Y t T. symmetry. apply S. apply (between a b x y); [assumption | assumption |]. simpl in T. lra.
Qed.
Lemma integral_equal (f g : R -> R) a b : (forall t : R, Rbar_lt a t /\ Rbar_lt t b -> f t = g t) ->
  has_integral g a b -> has_integral f a b /\ integral f a b = integral g a b.
Proof.
  intros S [v V]. pose proof (integral_same f g a b v S V) as W. split; [now exists v |].
  now rewrite (integral_is f a b v W), (integral_is g a b v V).
Qed.
Lemma primitive (f : R -> R) a b (m x y : R) : (forall t : R, Rbar_lt a t /\ Rbar_lt t b -> continuous f t) ->
  Rbar_lt a m /\ Rbar_lt m b -> Rbar_lt a x /\ Rbar_lt x b -> Rbar_lt a y /\ Rbar_lt y b ->
  is_RInt f x y (RInt f m y - RInt f m x).
Proof.
  intros C M X Y.
  assert (E : forall u v : R, Rbar_lt a u /\ Rbar_lt u b -> Rbar_lt a v /\ Rbar_lt v b -> ex_RInt f u v).
  { intros u v U V. apply (ex_RInt_continuous f). intros t T. apply C. now apply (between a b u v). }
  replace (RInt f m y - RInt f m x) with (RInt f x y).
  - apply (RInt_correct (V := R_CompleteNormedModule) f x y). now apply E.
  - pose proof (RInt_Chasles f m x y (E _ _ M X) (E _ _ X Y)) as H. unfold plus in H; simpl in H. lra.
Qed.
Lemma primitive_continuous (f : R -> R) a b (m : R) : (forall t : R, Rbar_lt a t /\ Rbar_lt t b -> continuous f t) ->
  Rbar_lt a m /\ Rbar_lt m b -> continuous (fun y => RInt f m y) m.
Proof.
  intros C M. apply (ex_derive_continuous (fun y => RInt f m y)). exists (f m).
  assert (N : locally m (fun t : R => Rbar_lt a t /\ Rbar_lt t b)).
  { destruct M as [A B]. apply filter_and; [exact (open_Rbar_gt' m a A) | exact (open_Rbar_lt' m b B)]. }
  apply (is_derive_RInt f (fun y => RInt f m y) m m); [| now apply C].
  apply (filter_imp (fun t : R => Rbar_lt a t /\ Rbar_lt t b)); [| assumption].
  intros t T. apply (RInt_correct (V := R_CompleteNormedModule) f m t). apply (ex_RInt_continuous f). intros s S. apply C. now apply (between a b m t).
Qed.

Lemma integral_pieces (f : R -> R) a (m : R) b v w : Rbar_le a m -> Rbar_le m b ->
  (forall t : R, Rbar_lt a t /\ Rbar_lt t b -> continuous f t) ->
  is_integral f a m v -> is_integral f m b w -> is_integral f a b (v + w).
Proof.
  intros LA LB C V W.
  destruct V as [[-> ->]|[A V]]; [now rewrite Rplus_0_l |].
  destruct W as [[<- ->]|[B W]]; [rewrite Rplus_0_r; now right |].
  assert (M : Rbar_lt a m /\ Rbar_lt m b) by now split.
  set (F := fun y => RInt f m y). assert (FM : F m = 0) by (unfold F; now rewrite RInt_point).
  assert (K : continuous F m) by now apply (primitive_continuous f a b).
  assert (P : forall x y : R, Rbar_lt a x /\ Rbar_lt x b -> Rbar_lt a y /\ Rbar_lt y b -> is_RInt f x y (F y - F x)).
  { intros x y X Y. now apply (primitive f a b). }
  assert (FA : filterlim F (above a) (locally (- v))).
  { apply filterlim_locally. intro e. pose (h := pos_div_2 e).
    assert (N : below m (fun y => ball (F m) h (F y))) by apply (below_here F m K _ (locally_ball (F m) h)).
    destruct (V _ (locally_ball v h)) as [G H GA HB Q]. generalize (filter_and _ _ GA (above_inside a m A)).
    apply filter_imp. intros x [X [X1 X2]].
    destruct (filter_ex _ (filter_and _ _ HB (filter_and _ _ N (below_inside a m A)))) as [y [Y [Z [Y1 Y2]]]].
    destruct (Q x y X Y) as [i [I J]]. simpl in I.
    assert (E : i = F y - F x).
    { rewrite <- (is_RInt_unique _ _ _ _ I). apply (is_RInt_unique f x y). apply P; split; try assumption.
      - now apply (Rbar_lt_trans _ m).
      - now apply (Rbar_lt_trans _ m). }
    rewrite FM in Z. unfold ball in *; simpl in *. unfold AbsRing_ball, abs, minus, plus, opp in *; simpl in *.
    apply Rabs_def2 in J. apply Rabs_def2 in Z. apply Rabs_def1; unfold h in *; simpl in *; lra. }
  assert (FB : filterlim F (below b) (locally w)).
  { apply filterlim_locally. intro e. pose (h := pos_div_2 e).
    assert (N : above m (fun y => ball (F m) h (F y))) by apply (above_here F m K _ (locally_ball (F m) h)).
    destruct (W _ (locally_ball w h)) as [G H GA HB Q]. generalize (filter_and _ _ HB (below_inside m b B)).
    apply filter_imp. intros y [Y [Y1 Y2]].
    destruct (filter_ex _ (filter_and _ _ GA (filter_and _ _ N (above_inside m b B)))) as [x [X [Z [X1 X2]]]].
    destruct (Q x y X Y) as [i [I J]]. simpl in I.
    assert (E : i = F y - F x).
    { rewrite <- (is_RInt_unique _ _ _ _ I). apply (is_RInt_unique f x y). apply P; split; try assumption.
      - now apply (Rbar_lt_trans _ m).
      - now apply (Rbar_lt_trans _ m). }
    rewrite FM in Z. unfold ball in *; simpl in *. unfold AbsRing_ball, abs, minus, plus, opp in *; simpl in *.
    apply Rabs_def2 in J. apply Rabs_def2 in Z. apply Rabs_def1; unfold h in *; simpl in *; lra. }
  replace (v + w) with (w - - v) by ring. apply (limit_of_integrals f F); auto. now apply (Rbar_lt_trans _ m).
Qed.
Lemma integral_in_two (f : R -> R) a (m : R) b : Rbar_le a m -> Rbar_le m b ->
  (forall t : R, Rbar_lt a t /\ Rbar_lt t b -> continuous f t) -> has_integral f a m -> has_integral f m b ->
  has_integral f a b /\ integral f a b = integral f a m + integral f m b.
Proof.
  intros LA LB C [v V] [w W]. pose proof (integral_pieces f a m b v w LA LB C V W) as H.
  split; [now exists (v + w) |]. now rewrite (integral_is _ _ _ _ V), (integral_is _ _ _ _ W), (integral_is _ _ _ _ H).
Qed.
Lemma integral_value (f : R -> R) a b v w : is_integral f a b v -> v = w -> has_integral f a b /\ integral f a b = w.
Proof. intros H <-. split; [now exists v | now apply integral_is]. Qed.

(* limits *)
Lemma far_over f c : 0 < c -> is_lim f p_infty m_infty -> is_lim (fun t => f t / c) p_infty m_infty.
Proof.
  intros C F. apply (is_lim_ext (fun t => / c * f t)); [intro; unfold Rdiv; ring |].
  replace m_infty with (Rbar_mult (/ c) m_infty); [now apply is_lim_scal_l |].
  pose proof (Rinv_0_lt_compat c C). simpl. destruct (Rle_dec 0 (/ c)); [| lra].
  destruct (Rle_lt_or_eq_dec 0 (/ c) r); [reflexivity | lra].
Qed.
Lemma far_times c f : 0 < c -> is_lim f p_infty m_infty -> is_lim (fun t => c * f t) p_infty m_infty.
Proof.
  intros C F. apply (is_lim_ext (fun t => f t / / c)); [intro; field; lra |]. apply far_over; [now apply Rinv_0_lt_compat | assumption].
Qed.
Lemma far_opp f : is_lim f p_infty p_infty -> is_lim (fun t => - f t) p_infty m_infty.
Proof. intro F. apply (is_lim_opp f p_infty p_infty F). Qed.
Lemma far_opp' f : is_lim f p_infty m_infty -> is_lim (fun t => - f t) p_infty p_infty.
Proof. intro F. apply (is_lim_opp f p_infty m_infty F). Qed.
Lemma far_ext (f g : R -> R) l : (forall t, f t = g t) -> is_lim g p_infty l -> is_lim f p_infty l.
Proof. intros E. apply is_lim_ext. intro. symmetry. apply E. Qed.
Lemma far_plus f c : is_lim f p_infty m_infty -> is_lim (fun t => f t + c) p_infty m_infty.
Proof. intro F. apply (is_lim_plus f (fun _ => c) p_infty m_infty c m_infty); [assumption | apply is_lim_const | reflexivity]. Qed.
Lemma far_line a b : 0 < a -> is_lim (fun t => b - a * t) p_infty m_infty.
Proof.
  intro A. apply (far_ext _ (fun t => (a * - t) + b)); [intro; ring |]. apply far_plus, far_times; [assumption |].
  apply far_opp, is_lim_id.
Qed.
Lemma near_line a b : 0 < a -> is_lim (fun t => b + a * t) p_infty p_infty.
Proof.
  intro A. apply (far_ext _ (fun t => - (- b - a * t))); [intro; ring |]. now apply far_opp', far_line.
Qed.
Lemma T_over (f : R -> R) a c : is_lim f p_infty (Finite a) -> is_lim (fun t => f t / c) p_infty (Finite (a / c)).
Proof. intro F. apply (T_times f (fun _ => / c) a (/ c) F), T_const. Qed.
Lemma T_Phi_one (f : R -> R) : is_lim f p_infty p_infty -> is_lim (fun t => Phi (f t)) p_infty (Finite 1).
Proof. intro F. apply (is_lim_comp Phi f p_infty 1 p_infty); [apply Phi_limit | exact F |]. exists 0. intros y Y; discriminate. Qed.
Lemma T_base b (f : R -> R) : 0 < b < 1 -> is_lim f p_infty p_infty -> is_lim (fun t => power b (f t)) p_infty (Finite 0).
Proof.
  intros B F. pose proof (ln_increasing b 1 ltac:(lra) ltac:(lra)) as L. rewrite ln_1 in L.
  apply (far_ext _ (fun t => exp (- (- ln b * f t)))).
  { intro t. rewrite power_exp by lra. f_equal. ring. }
  apply T_exp, (far_ext _ (fun t => - ln b * - f t)); [intro; ring |]. apply far_times; [lra | now apply far_opp].
Qed.
Ltac lims := first [ eassumption | lazymatch goal with
  | |- is_lim (fun _ => ?c) p_infty _ => apply T_const
  | |- is_lim (fun t => @?f t + @?g t) p_infty _ => eapply (T_plus f g); lims
  | |- is_lim (fun t => @?f t - @?g t) p_infty _ => eapply (T_minus f g); lims
  | |- is_lim (fun t => - @?f t) p_infty _ => eapply (T_opp f); lims
  | |- is_lim (fun t => @?f t * @?g t) p_infty _ => eapply (T_times f g); lims
  | |- is_lim (fun t => @?f t / ?c) p_infty _ => eapply (T_over f _ c); lims
  | |- is_lim (fun t => exp (@?f t)) p_infty _ => apply (T_exp f); assumption
  | |- is_lim (fun t => Phi (@?f t)) p_infty _ => first [ apply (T_Phi f); assumption | apply (T_Phi_one f); assumption ]
  | |- is_lim (fun t => power ?b (@?f t)) p_infty _ => apply (T_base b f); [split; lra | assumption]
  end ].
Lemma T_far a b f : (forall t, f t = b - a * t) -> 0 < a -> is_lim f p_infty m_infty.
Proof. intros E A. apply (far_ext _ _ _ E). now apply far_line. Qed.
Lemma T_near a b f : (forall t, f t = b + a * t) -> 0 < a -> is_lim f p_infty p_infty.
Proof. intros E A. apply (far_ext _ _ _ E). now apply near_line. Qed.
Lemma fades a : 0 < a -> is_lim (fun t => t * exp (- a * t)) p_infty (Finite 0).
Proof.
  intro A. apply (far_ext _ (fun t => / a * / (exp (a * t) / (a * t)))).
  { intro t. replace (- a * t) with (- (a * t)) by ring. rewrite exp_Ropp. pose proof (exp_pos (a * t)).
    destruct (Req_dec t 0) as [->|]; [rewrite !Rmult_0_r; unfold Rdiv; rewrite Rinv_0, Rmult_0_r, Rinv_0; ring |].
    field. lra. }
  replace (Finite 0) with (Finite (/ a * 0)) by (f_equal; ring). apply T_times; [apply T_const |].
  apply (is_lim_inv _ p_infty p_infty); [| discriminate].
  apply (is_lim_comp (fun y => exp y / y) (fun t => a * t) p_infty p_infty p_infty); [apply is_lim_div_exp_p | |].
  - apply (T_near a 0); [intro; ring | assumption].
  - exists 0. intros; discriminate.
Qed.
Lemma T_fades p q r a b (f g : R -> R) : (forall t, f t = p + q * t + r * t ^ 2) -> (forall t, g t = b - a * t) -> 0 < a ->
  is_lim (fun t => f t * exp (g t)) p_infty (Finite 0).
Proof.
  intros F G A. assert (C : 0 < a / 3) by lra. pose proof (fades _ C) as L.
  assert (U : is_lim (fun t => exp (- (a / 3) * t)) p_infty (Finite 0)).
  { apply T_exp. apply (T_far (a / 3) 0); [intro; ring | assumption]. }
  apply (far_ext _ (fun t => exp b * (p * exp (- (a / 3) * t) * exp (- (a / 3) * t) * exp (- (a / 3) * t)
    + q * (t * exp (- (a / 3) * t)) * exp (- (a / 3) * t) * exp (- (a / 3) * t)
    + r * (t * exp (- (a / 3) * t)) * (t * exp (- (a / 3) * t)) * exp (- (a / 3) * t)))).
  { intro t. rewrite F, G. replace (exp (b - a * t)) with (exp b * (exp (- (a / 3) * t) * exp (- (a / 3) * t) * exp (- (a / 3) * t))).
    - ring.
    - rewrite <- !exp_plus. f_equal. field. }
  replace (Finite 0) with (Finite (exp b * (p * 0 * 0 * 0 + q * 0 * 0 * 0 + r * 0 * 0 * 0))) by (f_equal; ring).
  lims.
Qed.
Lemma T_fades_square p q a b (f g : R -> R) : (forall t, f t = p + q * t) -> (forall t, g t = b - a * t ^ 2) -> 0 < a ->
  is_lim (fun t => f t * exp (g t)) p_infty (Finite 0).
Proof.
  intros F G A.
  assert (B : is_lim (fun t => (Rabs p + Rabs q * t) * exp ((b + 1 / a) - t)) p_infty (Finite 0)).
  { apply (T_fades (Rabs p) (Rabs q) 0 1 (b + 1 / a) (fun t => Rabs p + Rabs q * t)); [intro; ring | intro; ring | lra]. }
  assert (D : is_lim (fun t => - ((Rabs p + Rabs q * t) * exp ((b + 1 / a) - t))) p_infty (Finite 0)).
  { replace (Finite 0) with (Finite (- 0)) by (f_equal; ring). now apply T_opp. }
  apply (is_lim_le_le_loc (fun t => - ((Rabs p + Rabs q * t) * exp ((b + 1 / a) - t))) (fun t => (Rabs p + Rabs q * t) * exp ((b + 1 / a) - t))); [| exact D | exact B].
  exists 0. intros t T. rewrite F, G.
  assert (E : exp (b - a * t ^ 2) <= exp (b + 1 / a - t)).
  { apply exp_mono. assert (0 <= a * (t - 1 / (2 * a)) ^ 2) by (apply Rmult_le_pos; [lra | apply pow2_ge_0]).
    replace (a * (t - 1 / (2 * a)) ^ 2) with (a * t ^ 2 - t + 1 / (4 * a)) in H by (field; lra).
    assert (1 / (4 * a) <= 1 / a). { replace (1 / (4 * a)) with (1 / a / 4) by (field; lra). pose proof (Rdiv_lt_0_compat 1 a ltac:(lra) A). lra. }
    lra. }
  pose proof (exp_pos (b - a * t ^ 2)). pose proof (exp_pos (b + 1 / a - t)).
  assert (K : Rabs (p + q * t) <= Rabs p + Rabs q * t).
  { eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_mult, (Rabs_right t) by lra. lra. }
  assert (0 <= Rabs p + Rabs q * t) by (eapply Rle_trans; [apply Rabs_pos | exact K]).
  assert (M : Rabs ((p + q * t) * exp (b - a * t ^ 2)) <= (Rabs p + Rabs q * t) * exp (b + 1 / a - t)).
  { rewrite Rabs_mult, (Rabs_right (exp _)) by lra. apply Rmult_le_compat; [apply Rabs_pos | lra | assumption | assumption]. }
  apply Rabs_le_between in M. lra.
Qed.
(* derivatives *)
Lemma derivative_is f x v : is_derive f x v -> ex_derive f x /\ Derive f x = v.
Proof. intro D. split; [now exists v | now apply is_derive_unique]. Qed.

(* --- sums over the integers of a range, of which there is none where b = a - 1 *)

Definition is_series (f : R -> R) (a b : Rbar) (v : R) : Prop := match a, b with
  | Finite x, Finite y => integer x /\ integer y /\ x <= y + 1 /\ total x y f = v
  | Finite x, p_infty => integer x /\ is_lim_seq (fun n => sum_from n x f) (Finite v)
  | _, _ => False end.
Definition has_series (f : R -> R) (a b : Rbar) : Prop := exists v, is_series f a b v.
Definition series (f : R -> R) (a b : Rbar) : R := iota (is_series f a b).

Lemma series_is f a b v : is_series f a b v -> series f a b = v.
Proof.
  intro H. apply (iota_unique (V := R_CompleteNormedModule) (is_series f a b)); [| assumption]. intros w W.
  destruct a as [x| |], b as [y| |]; simpl in *; try easy.
  - destruct H as [_ [_ [_ <-]]], W as [_ [_ [_ <-]]]. reflexivity.
  - destruct H as [_ H], W as [_ W]. apply is_lim_seq_unique in H, W. rewrite W in H. now injection H.
Qed.
Lemma series_value f a b v w : is_series f a b v -> v = w -> has_series f a b /\ series f a b = w.
Proof. intros H <-. split; [now exists v | now apply series_is]. Qed.

(* its integers are x, x + 1, ... *)
Lemma terms_of x y : integer x -> integer y -> x <= y + 1 ->
  exists n, y + 1 = x + INR n /\ forall f, total x y f = sum_from n x f.
Proof.
  intros [i ->] [j ->] L. rewrite <- plus_IZR in L. apply le_IZR in L. exists (Z.to_nat (j - i + 1)).
  rewrite INR_IZR_INZ, Z2Nat.id by lia. rewrite <- !plus_IZR. split; [f_equal; lia |].
  intro f. unfold total. rewrite <- minus_IZR, Int_part_IZR. reflexivity.
Qed.
Lemma integer_after x n : integer x -> integer (x + INR n).
Proof. intro H. rewrite INR_IZR_INZ. apply integer_plus; [assumption | apply integer_number]. Qed.

Lemma telescopes (f F : R -> R) x n :
  (forall i, (i < n)%nat -> F (x + INR i + 1) - F (x + INR i) = f (x + INR i)) -> sum_from n x f = F (x + INR n) - F x.
Proof.
  induction n; intro D; [simpl; replace (x + 0) with x by ring; ring |].
  change (sum_from n x f + f (x + INR n) = F (x + INR (S n)) - F x).
  rewrite IHn by (intros; apply D; lia). rewrite <- (D n) by lia. rewrite S_INR.
  replace (x + (INR n + 1)) with (x + INR n + 1) by ring. ring.
Qed.
Lemma before x y n i : y + 1 = x + INR n -> (i < n)%nat -> x <= x + INR i /\ x + INR i <= y.
Proof.
  intros E H. pose proof (pos_INR i). apply le_INR in H. rewrite S_INR in H. lra.
Qed.
Lemma series_by (f F : R -> R) (x y : R) : integer x -> integer y -> x <= y + 1 ->
  (forall t, integer t -> Rbar_le x t /\ Rbar_le t y -> F (t + 1) - F t = f t) -> is_series f x y (F (y + 1) - F x).
Proof.
  intros X Y L D. simpl. destruct (terms_of x y X Y L) as [n [E T]]. repeat split; auto.
  rewrite T, E. apply telescopes. intros i I. apply D; [now apply integer_after | now apply (before x y n)].
Qed.
Lemma series_far (f F : R -> R) (x l : R) : integer x -> is_lim F p_infty (Finite l) ->
  (forall t, integer t -> Rbar_le x t /\ Rbar_le t p_infty -> F (t + 1) - F t = f t) -> is_series f x p_infty (l - F x).
Proof.
  intros X L D. simpl. split; [assumption |]. apply (is_lim_seq_ext (fun n => F (x + INR n) - F x)).
  - intro n. symmetry. apply telescopes. intros i _. apply D; [now apply integer_after | split; [simpl; pose proof (pos_INR i); lra | exact I]].
  - apply is_lim_seq_minus'; [| apply is_lim_seq_const].
    apply (is_lim_comp_seq F (fun n => x + INR n) p_infty); [exact L | exists 0%nat; intros; discriminate |].
    apply (is_lim_seq_plus (fun _ => x) INR x p_infty p_infty); [apply is_lim_seq_const | apply is_lim_seq_INR | reflexivity].
Qed.
Lemma sum_same (f g : R -> R) x n : (forall i, (i < n)%nat -> f (x + INR i) = g (x + INR i)) -> sum_from n x f = sum_from n x g.
Proof.
  induction n; intro H; [reflexivity |].
  change (sum_from n x f + f (x + INR n) = sum_from n x g + g (x + INR n)). rewrite IHn, (H n); auto.
Qed.
Lemma series_equal (f g : R -> R) a b : (forall t, integer t -> Rbar_le a t /\ Rbar_le t b -> f t = g t) ->
  has_series g a b -> has_series f a b /\ series f a b = series g a b.
Proof.
  intros S [v V]. enough (W : is_series f a b v).
  { split; [now exists v |]. now rewrite (series_is f a b v W), (series_is g a b v V). }
  destruct a as [x| |], b as [y| |]; simpl in *; try easy.
  - destruct V as [X [Y [L <-]]]. repeat split; auto. destruct (terms_of x y X Y L) as [n [E T]]. rewrite !T.
    apply sum_same. intros i I. apply S; [now apply integer_after | now apply (before x y n)].
  - destruct V as [X V]. split; [assumption |]. apply (is_lim_seq_ext (fun n => sum_from n x g)); [| assumption].
    intro n. apply sum_same. intros i _. symmetry. apply S; [now apply integer_after | split; [simpl; pose proof (pos_INR i); lra | exact I]].
Qed.
Lemma sum_in_two f x n m : sum_from (n + m) x f = sum_from n x f + sum_from m (x + INR n) f.
Proof.
  induction m; [rewrite Nat.add_0_r; simpl; ring |]. rewrite Nat.add_succ_r.
  change (sum_from (n + m) x f + f (x + INR (n + m)) = sum_from n x f + (sum_from m (x + INR n) f + f (x + INR n + INR m))).
  rewrite IHm, plus_INR, Rplus_assoc. f_equal. rewrite Rplus_assoc. reflexivity.
Qed.
Lemma series_in_two (f : R -> R) (x m k : R) b : k = m + 1 -> has_series f x m -> has_series f k b ->
  has_series f x b /\ series f x b = series f x m + series f k b.
Proof.
  intros -> [v V] [w W]. enough (H : is_series f x b (v + w)).
  { split; [now exists (v + w) |]. now rewrite (series_is _ _ _ _ V), (series_is _ _ _ _ W), (series_is _ _ _ _ H). }
  destruct b as [y| |]; simpl in *; try easy.
  - destruct V as [X [M [L <-]]], W as [_ [Y [K <-]]].
    destruct (terms_of x m X M L) as [n [E T]], (terms_of (m + 1) y) as [p [F U]]; auto.
    { apply integer_plus; [assumption | apply integer_number]. }
    rewrite T, U. destruct (terms_of x y) as [q [G Z]]; auto; [pose proof (pos_INR p); lra |]. repeat split; auto; [pose proof (pos_INR p); lra |].
    rewrite Z, E, <- sum_in_two. f_equal. apply INR_eq. rewrite plus_INR. lra.
  - destruct V as [X [M [L <-]]], W as [_ W]. split; [assumption |]. destruct (terms_of x m X M L) as [n [E T]].
    apply (is_lim_seq_incr_n _ n). rewrite T. apply (is_lim_seq_ext (fun k => sum_from n x f + sum_from k (m + 1) f)).
    + intro k. rewrite Nat.add_comm, sum_in_two, E. reflexivity.
    + apply is_lim_seq_plus'; [apply is_lim_seq_const | assumption].
Qed.

(* --- suprema and infima of a function over the points with a property *)

Definition is_supremum (f : R -> R) (I : R -> Prop) (v : R) : Prop :=
  is_lub_Rbar (fun y => exists x, I x /\ y = f x) (Finite v).
Definition has_supremum (f : R -> R) (I : R -> Prop) : Prop := exists v, is_supremum f I v.
Definition supremum (f : R -> R) (I : R -> Prop) : R := iota (is_supremum f I).
Definition has_infimum (f : R -> R) (I : R -> Prop) : Prop := has_supremum (fun x => - f x) I.
Definition infimum (f : R -> R) (I : R -> Prop) : R := - supremum (fun x => - f x) I.

Lemma supremum_is f I v : is_supremum f I v -> supremum f I = v.
Proof.
  intro H. apply (iota_unique (V := R_CompleteNormedModule) (is_supremum f I)); [| assumption]. intros w W.
  apply is_lub_Rbar_unique in H, W. rewrite W in H. now injection H.
Qed.
Lemma supremum_bounded (f : R -> R) (I : R -> Prop) v p : (forall t, I t -> f t <= v) -> I p ->
  has_supremum f I /\ supremum f I <= v.
Proof.
  intros B P. destruct (ex_lub_Rbar (fun y => exists x, I x /\ y = f x)) as [l [U L]].
  assert (A : Rbar_le (f p) l) by (apply U; now exists p).
  assert (D : Rbar_le l v). { apply L. intros y [x [X ->]]. now apply B. }
  destruct l as [l| |]; try easy. assert (H : is_supremum f I l) by (split; assumption).
  split; [now exists l | now rewrite (supremum_is f I l H)].
Qed.
Lemma supremum_reached (f : R -> R) (I : R -> Prop) v p : has_supremum f I -> I p -> f p >= v -> supremum f I >= v.
Proof.
  intros [l H] P V. rewrite (supremum_is f I l H). destruct H as [U _].
  assert (A : Rbar_le (f p) l) by (apply U; now exists p). simpl in A. lra.
Qed.
Lemma supremum_approached (f : R -> R) (I : R -> Prop) (F : (R -> Prop) -> Prop) (v l : R) : ProperFilter F -> has_supremum f I ->
  F I -> filterlim f F (locally l) -> l >= v -> supremum f I >= v.
Proof.
  intros PF [s H] FI L V. rewrite (supremum_is f I s H). destruct H as [U _].
  destruct (Rle_or_lt l s) as [|G]; [lra | exfalso].
  destruct (filter_ex (F := F) _ (filter_and I (fun x => s < f x) FI (L _ (open_gt s l G)))) as [x [X Y]].
  assert (A : Rbar_le (f x) s) by (apply U; now exists x). simpl in A. lra.
Qed.
Lemma supremum_equal (f g : R -> R) (I : R -> Prop) : (forall t, I t -> f t = g t) ->
  has_supremum g I -> has_supremum f I /\ supremum f I = supremum g I.
Proof.
  intros S [v [U L]]. assert (W : is_supremum f I v).
  { split.
    - intros y [x [X ->]]. apply U. exists x. now rewrite (S x X).
    - intros b B. apply L. intros y [x [X ->]]. apply B. exists x. now rewrite (S x X). }
  assert (V : is_supremum g I v) by now split.
  split; [now exists v |]. now rewrite (supremum_is f I v W), (supremum_is g I v V).
Qed.
Lemma supremum_compared (f g : R -> R) (I : R -> Prop) : (forall t, I t -> f t <= g t) ->
  has_supremum f I -> has_supremum g I -> supremum f I <= supremum g I.
Proof.
  intros S [v V] [w W]. rewrite (supremum_is f I v V), (supremum_is g I w W). destruct V as [_ L], W as [U _].
  change (Rbar_le v w). apply L. intros y [x [X ->]]. apply Rbar_le_trans with (g x); [now apply S | apply U; now exists x].
Qed.
Lemma infimum_bounded (f : R -> R) (I : R -> Prop) v p : (forall t, I t -> f t >= v) -> I p ->
  has_infimum f I /\ infimum f I >= v.
Proof.
  intros B P. destruct (supremum_bounded (fun x => - f x) I (- v) p) as [H L]; [| assumption |].
  - intros t T. pose proof (B t T). lra.
  - split; [exact H | unfold infimum; lra].
Qed.
Lemma infimum_reached (f : R -> R) (I : R -> Prop) v p : has_infimum f I -> I p -> f p <= v -> infimum f I <= v.
Proof. intros H P V. pose proof (supremum_reached (fun x => - f x) I (- v) p H P ltac:(lra)). unfold infimum. lra. Qed.
Lemma infimum_approached (f : R -> R) (I : R -> Prop) (F : (R -> Prop) -> Prop) (v l : R) : ProperFilter F -> has_infimum f I ->
  F I -> filterlim f F (locally l) -> l <= v -> infimum f I <= v.
Proof.
  intros PF H FI L V. unfold infimum. enough (supremum (fun x => - f x) I >= - v) by lra.
  apply (supremum_approached (fun x => - f x) I F (- v) (- l)); auto; [| lra].
  exact (filterlim_comp _ _ _ f Ropp F (locally l) (locally (- l)) L (filterlim_opp l)).
Qed.
Lemma infimum_equal (f g : R -> R) (I : R -> Prop) : (forall t, I t -> f t = g t) ->
  has_infimum g I -> has_infimum f I /\ infimum f I = infimum g I.
Proof.
  intros S H. destruct (supremum_equal (fun x => - f x) (fun x => - g x) I) as [E Q]; auto.
  - intros t T. now rewrite (S t T).
  - split; [exact E | unfold infimum; now rewrite Q].
Qed.
Lemma infimum_compared (f g : R -> R) (I : R -> Prop) : (forall t, I t -> f t >= g t) ->
  has_infimum f I -> has_infimum g I -> infimum f I >= infimum g I.
Proof.
  intros S A B. unfold infimum. enough (supremum (fun x => - f x) I <= supremum (fun x => - g x) I) by lra.
  apply supremum_compared; auto. intros t T. pose proof (S t T). lra.
Qed.
