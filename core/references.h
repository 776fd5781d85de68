// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The works that comments name by tags, such as [T, Thm 2]: the tag stands before the comma, the place in the work
// after it. resources/docs/references.md has the same list for readers of the program; tests/architecture keeps the two
// in step and fails at a tag that is in neither.

// The four families
//
// [T] T. Yoshida, I. Takeuchi, M. Karasuyama: Safe triplet screening for distance metric learning. KDD 2018; Neural
//     Computation 31(12), 2019. Numbers of theorems and equations are those of the journal.
//
// [S] K. Ogawa, Y. Suzuki, S. Suzumura, I. Takeuchi: Safe sample screening for support vector machines.
//     arXiv:1401.6740, 2014.
//
// [O] K. Ma, J. Zeng, J. Xiong, Q. Xu, X. Cao, W. Liu, Y. Yao: Fast stochastic ordinal embedding with variance
//     reduction and adaptive step size. IEEE Transactions on Knowledge and Data Engineering 33(6), 2021.
//
// [P] E. Sansone, F. De Natale, Z.-H. Zhou: Efficient training for positive unlabeled learning. IEEE Transactions on
//     Pattern Analysis and Machine Intelligence 41(11), 2019.

// Models and methods
//
// [Agarwal et al. 2007] S. Agarwal, J. Wills, L. Cayton, G. Lanckriet, D. Kriegman, S. Belongie: Generalized
//     non-metric multidimensional scaling. AISTATS 2007.
//
// [Barzilai and Borwein 1988] J. Barzilai, J. M. Borwein: Two-point step size gradient methods. IMA Journal of
//     Numerical Analysis 8, 1988.
//
// [Beck and Teboulle 2009] A. Beck, M. Teboulle: A fast iterative shrinkage-thresholding algorithm for linear inverse
//     problems. SIAM Journal on Imaging Sciences 2(1), 2009.
//
// [Bertsekas 1982] D. P. Bertsekas: Projected Newton methods for optimization problems with simple constraints. SIAM
//     Journal on Control and Optimization 20, 1982.
//
// [Chang and Lin 2011] C.-C. Chang, C.-J. Lin: LIBSVM: a library for support vector machines. ACM Transactions on
//     Intelligent Systems and Technology 2(3), 2011.
//
// [Chen, Epperly, Tropp, Webber 2022] Y. Chen, E. N. Epperly, J. A. Tropp, R. J. Webber: Randomly pivoted Cholesky:
//     practical approximation of a kernel matrix with few entry evaluations. arXiv:2207.06503, 2022.
//
// [DeCoste and Wagstaff 2000] D. DeCoste, K. Wagstaff: Alpha seeding for support vector machines. KDD 2000.
//
// [Dowell and Jarratt 1971] M. Dowell, P. Jarratt: A modified regula falsi method for computing the root of an
//     equation. BIT 11, 1971.
//
// [Efron and Tibshirani 1993] B. Efron, R. J. Tibshirani: An introduction to the bootstrap. Chapman and Hall, 1993.
//
// [Elkan and Noto 2008] C. Elkan, K. Noto: Learning classifiers from only positive and unlabeled data. KDD 2008.
//
// [Epperly, Tropp, Webber 2024] E. N. Epperly, J. A. Tropp, R. J. Webber: Embrace rejection: kernel matrix
//     approximation by accelerated randomly pivoted Cholesky. arXiv:2410.03969, 2024.
//
// [Erdogdu, Montanari 2015] M. A. Erdogdu, A. Montanari: Convergence rates of sub-sampled Newton methods. NIPS 2015.
//
// [Fan et al. 2008] R.-E. Fan, K.-W. Chang, C.-J. Hsieh, X.-R. Wang, C.-J. Lin: LIBLINEAR: a library for large linear
//     classification. Journal of Machine Learning Research 9, 2008.
//
// [Fan, Chen, Lin 2005] R.-E. Fan, P.-H. Chen, C.-J. Lin: Working set selection using second order information for
//     training support vector machines. Journal of Machine Learning Research 6, 2005.
//
// [Golub and Ye 1999] G. H. Golub, Q. Ye: Inexact preconditioned conjugate gradient method with inner-outer iteration.
//     SIAM Journal on Scientific Computing 21(4), 1999.
//
// [Gould, Hribar, Nocedal 2001] N. I. M. Gould, M. E. Hribar, J. Nocedal: On the solution of equality constrained
//     quadratic programming problems arising in optimization. SIAM Journal on Scientific Computing 23(4), 2001.
//
// [Grippo, Lampariello, Lucidi 1986] L. Grippo, F. Lampariello, S. Lucidi: A nonmonotone line search technique for
//     Newton's method. SIAM Journal on Numerical Analysis 23, 1986.
//
// [Higham 2002] N. J. Higham: Accuracy and stability of numerical algorithms. Second edition, SIAM, 2002.
//
// [Hsieh et al. 2008] C.-J. Hsieh, K.-W. Chang, C.-J. Lin, S. S. Keerthi, S. Sundararajan: A dual coordinate descent
//     method for large-scale linear SVM. ICML 2008.
//
// [Hyndman and Fan 1996] R. J. Hyndman, Y. Fan: Sample quantiles in statistical packages. The American Statistician
//     50(4), 1996.
//
// [Joachims 2006] T. Joachims: Training linear SVMs in linear time. KDD 2006.
//
// [Joldes, Muller, Popescu 2017] M. Joldes, J.-M. Muller, V. Popescu: Tight and rigorous error bounds for basic
//     building blocks of double-word arithmetic. ACM Transactions on Mathematical Software 44(2), 2017.
//
// [Júdice and Pires 1994] J. J. Júdice, F. M. Pires: A block principal pivoting algorithm for large-scale strictly
//     monotone linear complementarity problems. Computers and Operations Research 21, 1994.
//
// [Lewis and Overton 2013] A. S. Lewis, M. L. Overton: Nonsmooth optimization via quasi-Newton methods. Mathematical
//     Programming 141, 2013.
//
// [Liu and Nocedal 1989] D. C. Liu, J. Nocedal: On the limited memory BFGS method for large scale optimization.
//     Mathematical Programming 45, 1989.
//
// [Malick and Sendov 2006] J. Malick, H. S. Sendov: Clarke generalized Jacobian of the projection onto the cone of
//     positive semidefinite matrices. Set-Valued Analysis 14, 2006.
//
// [Ndiaye et al. 2017] E. Ndiaye, O. Fercoq, A. Gramfort, J. Salmon: Gap safe screening rules for sparsity enforcing
//     penalties. Journal of Machine Learning Research 18, 2017.
//
// [Niu et al. 2019] D. Niu, C. Wang, P. Tang, Q. Wang, E. Song: A sparse semismooth Newton based augmented Lagrangian
//     method for large-scale support vector machines. arXiv, 2019.
//
// [Nocedal 1980] J. Nocedal: Updating quasi-Newton matrices with limited storage. Mathematics of Computation 35, 1980.
//
// [Ogita, Rump, Oishi 2005] T. Ogita, S. M. Rump, S. Oishi: Accurate sum and dot product. SIAM Journal on Scientific
//     Computing 26(6), 2005.
//
// [Rockafellar 1976] R. T. Rockafellar: Monotone operators and the proximal point algorithm. SIAM Journal on Control
//     and Optimization 14(5), 1976.
//
// [Schölkopf et al. 2001] B. Schölkopf, J. C. Platt, J. Shawe-Taylor, A. J. Smola, R. C. Williamson: Estimating the
//     support of a high-dimensional distribution. Neural Computation 13(7), 2001.
//
// [Schönemann 1966] P. H. Schönemann: A generalized solution of the orthogonal Procrustes problem. Psychometrika 31,
//     1966.
//
// [Steinwart, Hush, Scovel 2011] I. Steinwart, D. Hush, C. Scovel: Training SVMs without offset. Journal of Machine
//     Learning Research 12, 2011.
//
// [Tamuz et al. 2011] O. Tamuz, C. Liu, S. Belongie, O. Shamir, A. T. Kalai: Adaptively learning the crowd kernel.
//     ICML 2011.
//
// [Terada and von Luxburg 2014] Y. Terada, U. von Luxburg: Local ordinal embedding. ICML 2014.
//
// [Van der Maaten and Weinberger 2012] L. van der Maaten, K. Weinberger: Stochastic triplet embedding. IEEE
//     International Workshop on Machine Learning for Signal Processing, 2012.
//
// [Vapnik 1995] V. N. Vapnik: The nature of statistical learning theory. Springer, 1995.
//
// [Yan and Li 2020] Y. Yan, Q. Li: An efficient augmented Lagrangian method for support vector machine. Optimization
//     Methods and Software 35(4), 2020.
//
// [Zhao, Sun, Toh 2010] X.-Y. Zhao, D. Sun, K.-C. Toh: A Newton-CG augmented Lagrangian method for semidefinite
//     programming. SIAM Journal on Optimization 20, 2010.

// Formats and colours
//
// [FIPS 180-4] National Institute of Standards and Technology: Secure hash standard. FIPS PUB 180-4, 2015.
//
// [Nuñez, Anderton, Renslow 2018] J. R. Nuñez, C. R. Anderton, R. S. Renslow: Optimizing colormaps with consideration
//     for color vision deficiency to enable accurate interpretation of scientific data. PLoS ONE 13(7), 2018.
//
// [NumPy Enhancement Proposal 1] R. Kern: A simple file format for NumPy arrays. NEP 1, 2007.
//
// [Okabe and Ito 2008] M. Okabe, K. Ito: Color universal design: how to make figures and presentations that are
//     friendly to colorblind people. 2008.
//
// [RFC 2781] P. Hoffman, F. Yergeau: UTF-16, an encoding of ISO 10646. RFC 2781, 2000.
//
// [RFC 4180] Y. Shafranovich: Common format and MIME type for comma-separated values (CSV) files. RFC 4180, 2005.
