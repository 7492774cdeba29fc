"""Estimators and the drawn rows that they are trained on (estimators.py): (name, estimator, kind of rows). Each kind that converters know
is here once or more: labels of numbers and of strings, one output and several, pipelines of columns of strings and numbers, lost values."""
import numpy as np


def drawn(kind):
    """Rows and labels: words of `kind` are small, strings, several, many (labels), positive, lost, table, words, counts."""
    stream = np.random.default_rng(5)
    words = kind.split()
    count, width = (60 if "small" in words else 400), (4 if "small" in words else 9)
    rows = stream.standard_normal((count, width)).astype(np.float32)
    if "positive" in words:
        rows = np.abs(rows)
    score = rows[:, 0] + np.sin(2 * rows[:, 1]) - .3 * rows[:, 2] * rows[:, 3]
    if "many" in words:
        labels = np.digitize(score, [-1, 0, 1])
    elif "real" in words:
        labels = score
        if "positive" in words:
            labels = np.abs(score) + .1
    else:
        labels = (score > 0).astype(np.int64)
    if "several" in words:
        labels = np.stack([labels, labels[::-1]], 1)
    if "strings" in words:
        labels = np.array(["low", "high", "\u00e9t\u00e9", "none"])[labels]
    if "lost" in words:
        rows[stream.random(rows.shape) < .1] = np.nan
    if "counts" in words:
        rows = stream.integers(0, 4, rows.shape).astype(np.int64)
    if "words" in words:
        rows = np.array(["a", "b", "yes", "\u00e9"], object)[stream.integers(0, 4, (count, 3))]
    if "table" in words:
        import pandas
        rows = pandas.DataFrame({"age": rows[:, 0], "fare": rows[:, 1], "rooms": stream.integers(0, 5, count),
                                 "town": np.array(["a", "b", "yes"], object)[stream.integers(0, 3, count)],
                                 "kind": np.array(["b", "\u00e9"], object)[stream.integers(0, 2, count)]})
    return rows, labels


def forests():
    """Of 100 trees."""
    from lightgbm import LGBMClassifier, LGBMRegressor
    from sklearn import ensemble as e
    from xgboost import XGBClassifier, XGBRegressor
    yield "forest_classifier", e.RandomForestClassifier(100, random_state=0), ""
    yield "forest_of_many", e.RandomForestClassifier(100, random_state=0), "many"
    yield "forest_regressor", e.RandomForestRegressor(100, random_state=0), "real"
    yield "forest_shallow", e.RandomForestRegressor(100, max_depth=4, random_state=0), "real"
    yield "boosted", e.GradientBoostingClassifier(n_estimators=100, random_state=0), ""
    yield "lightgbm", LGBMClassifier(n_estimators=100, verbose=-1), ""
    yield "lightgbm_regressor", LGBMRegressor(n_estimators=100, verbose=-1), "real"
    yield "xgboost", XGBClassifier(n_estimators=100), ""
    yield "xgboost_of_many", XGBClassifier(n_estimators=100), "many"
    yield "xgboost_regressor", XGBRegressor(n_estimators=100), "real"


def pipelines():
    from sklearn import compose as c, ensemble as e, feature_selection as f, impute as i, linear_model as l, pipeline as p, preprocessing as s
    numbers = p.make_pipeline(i.SimpleImputer(), s.StandardScaler())
    for name, encoder in (("one_hot", s.OneHotEncoder(handle_unknown="ignore")), ("dense", s.OneHotEncoder(handle_unknown="ignore", sparse_output=False)),
                          ("ordinal", s.OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1))):
        columns = c.ColumnTransformer([("n", numbers, ["age", "fare"]), ("c", encoder, ["town", "kind"]), ("r", "passthrough", ["rooms"])])
        yield "columns_" + name, p.make_pipeline(columns, l.LogisticRegression()), "table"
        yield "columns_forest_zipmap_" + name, p.make_pipeline(columns, e.RandomForestClassifier(10, random_state=0)), "table strings"
    yield "imputed", p.make_pipeline(i.SimpleImputer(strategy="median"), l.Ridge()), "lost real"
    yield "imputed_constant", p.make_pipeline(i.SimpleImputer(strategy="constant", fill_value=2), l.Ridge()), "lost real"
    yield "imputed_neighbours", p.make_pipeline(i.KNNImputer(), l.Ridge()), "lost real"
    yield "indicated", p.make_pipeline(i.SimpleImputer(add_indicator=True), l.Ridge()), "lost real"
    yield "union", p.make_pipeline(p.make_union(s.StandardScaler(), s.PolynomialFeatures(2)), l.LogisticRegression()), ""
    yield "selected", p.make_pipeline(f.SelectKBest(k=4), l.LogisticRegression()), ""
    yield "selected_percentile", p.make_pipeline(f.SelectPercentile(percentile=50), l.LogisticRegression()), ""
    yield "eliminated", p.make_pipeline(f.RFE(l.LogisticRegression(), n_features_to_select=3), l.LogisticRegression()), ""
    yield "variance", p.make_pipeline(f.VarianceThreshold(.5), l.Ridge()), "real"


def transformers():
    from sklearn import cluster, decomposition as d, preprocessing as s, random_projection as r
    from sklearn import discriminant_analysis as da, neighbors as n, cross_decomposition as x, mixture
    for name, one in (("standard", s.StandardScaler()), ("min_max", s.MinMaxScaler(clip=True)), ("max_abs", s.MaxAbsScaler()), ("robust", s.RobustScaler()),
                      ("l1", s.Normalizer("l1")), ("l2", s.Normalizer("l2")), ("max_norm", s.Normalizer("max")), ("binarizer", s.Binarizer(threshold=.1)),
                      ("bins", s.KBinsDiscretizer(4, encode="ordinal")), ("bins_one_hot", s.KBinsDiscretizer(4, encode="onehot-dense")),
                      ("power", s.PowerTransformer()), ("quantile", s.QuantileTransformer(n_quantiles=20)), ("polynomial", s.PolynomialFeatures(3)),
                      ("pca", d.PCA(3)), ("pca_whitened", d.PCA(3, whiten=True)), ("incremental_pca", d.IncrementalPCA(3)),
                      ("kernel_pca", d.KernelPCA(3, kernel="rbf")), ("svd", d.TruncatedSVD(3)), 
                      ("random_projection", r.GaussianRandomProjection(4, random_state=0)), ("lda_transform", da.LinearDiscriminantAnalysis(n_components=1)),
                      ("neighbours_transform", n.KNeighborsTransformer(n_neighbors=3)), ("components_transform", n.NeighborhoodComponentsAnalysis(3, max_iter=5))):
        yield name, one, ""
    yield "box_cox", s.PowerTransformer("box-cox"), "positive"
    yield "words_one_hot", s.OneHotEncoder(handle_unknown="ignore"), "words"
    yield "words_ordinal", s.OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), "words"
    yield "words_target", s.TargetEncoder(), "words"
    yield "counts_one_hot", s.OneHotEncoder(handle_unknown="ignore"), "counts"
    yield "counts_ordinal", s.OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), "counts"
    yield "k_means", cluster.KMeans(4, n_init=1, random_state=0), ""
    yield "k_means_batches", cluster.MiniBatchKMeans(4, n_init=1, random_state=0), ""
    for kind in ("full", "tied", "diag", "spherical"):
        yield "mixture_" + kind, mixture.GaussianMixture(3, covariance_type=kind, random_state=0), ""
    yield "bayesian_mixture", mixture.BayesianGaussianMixture(n_components=3, random_state=0), ""
    yield "pls", x.PLSRegression(2), "real"


def classifiers():
    from sklearn import calibration, discriminant_analysis as da, ensemble as e, gaussian_process as g, linear_model as l, multiclass, multioutput
    from sklearn import naive_bayes as b, neighbors as n, neural_network as nn, svm, tree
    common = {
        "logistic": l.LogisticRegression(), "logistic_cv": l.LogisticRegressionCV(Cs=3), "sgd_log": l.SGDClassifier(loss="log_loss", random_state=0),
        "sgd_hinge": l.SGDClassifier(random_state=0), "sgd_huber": l.SGDClassifier(loss="modified_huber", random_state=0), "ridge_classifier": l.RidgeClassifier(),
        "perceptron": l.Perceptron(), "aggressive": l.PassiveAggressiveClassifier(), "linear_svc": svm.LinearSVC(), "naive": b.GaussianNB(), "bernoulli": b.BernoulliNB(),
        "lda": da.LinearDiscriminantAnalysis(), "qda": da.QuadraticDiscriminantAnalysis(), "tree": tree.DecisionTreeClassifier(max_depth=6),
        "extra_tree": tree.ExtraTreeClassifier(max_depth=6), "forest": e.RandomForestClassifier(20, random_state=0), "extra_trees": e.ExtraTreesClassifier(20, random_state=0),
        "adaboost": e.AdaBoostClassifier(n_estimators=10), "bagging": e.BaggingClassifier(n_estimators=5), "boosting": e.GradientBoostingClassifier(n_estimators=20),
        "histograms": e.HistGradientBoostingClassifier(max_iter=20), "voting_soft": e.VotingClassifier([("a", l.LogisticRegression()), ("b", b.GaussianNB())], voting="soft", flatten_transform=False),
        "voting_hard": e.VotingClassifier([("a", l.LogisticRegression()), ("b", b.GaussianNB())], flatten_transform=False), "stacking": e.StackingClassifier([("a", l.LogisticRegression()), ("b", tree.DecisionTreeClassifier(max_depth=3))]),
        "one_vs_rest": multiclass.OneVsRestClassifier(l.LogisticRegression()), "one_vs_one": multiclass.OneVsOneClassifier(svm.LinearSVC()),
        "calibrated": calibration.CalibratedClassifierCV(l.LogisticRegression(), cv=2),
        "calibrated_isotonic": calibration.CalibratedClassifierCV(b.GaussianNB(), cv=2, method="isotonic"), "mlp": nn.MLPClassifier((8, 6), max_iter=30),
        "mlp_tanh": nn.MLPClassifier((8,), activation="tanh", max_iter=30), "mlp_logistic": nn.MLPClassifier((8,), activation="logistic", max_iter=30),
        "neighbours": n.KNeighborsClassifier(5), "neighbours_weighted": n.KNeighborsClassifier(5, weights="distance"), "neighbours_manhattan": n.KNeighborsClassifier(3, p=1),
        "radius": n.RadiusNeighborsClassifier(5.), "gp_classifier": g.GaussianProcessClassifier(),
        **{"svc_" + k: svm.SVC(kernel=k) for k in ("linear", "poly", "rbf", "sigmoid")}, "svc_probability": svm.SVC(probability=True), "nu_svc": svm.NuSVC(nu=.3),
        "nu_svc_probability": svm.NuSVC(nu=.3, probability=True)}
    for name, one in common.items():
        small = "small " if name.startswith("gp") else ""
        yield name, one, small
        yield name + "_many", one, small + "many"
        yield name + "_strings_zipmap", one, small + "many strings"
        if hasattr(one, "decision_function"):
            yield "raw_" + name, one, small + "many"
    yield "multinomial", b.MultinomialNB(), "positive many"
    yield "complement", b.ComplementNB(), "positive many"
    yield "categorical", b.CategoricalNB(), "counts"
    yield "several_classes", multioutput.MultiOutputClassifier(l.LogisticRegression()), "several"
    yield "forest_several", e.RandomForestClassifier(10, random_state=0), "several many"
    yield "tree_several", tree.DecisionTreeClassifier(max_depth=4), "several many"


def regressors():
    from sklearn import ensemble as e, gaussian_process as g, linear_model as l, multioutput, neighbors as n
    from sklearn import neural_network as nn, svm, tree
    kernels = g.kernels
    for name, one in {
        "linear": l.LinearRegression(), "ridge": l.Ridge(), "lasso": l.Lasso(.1), "elastic": l.ElasticNet(.1), "lars": l.Lars(), "huber": l.HuberRegressor(), "theil": l.TheilSenRegressor(),
        "ransac": l.RANSACRegressor(random_state=0), "ard": l.ARDRegression(), "bayesian_ridge": l.BayesianRidge(), "sgd_regressor": l.SGDRegressor(), "quantile_regressor": l.QuantileRegressor(),
        "matching": l.OrthogonalMatchingPursuit(), "linear_svr": svm.LinearSVR(), "nu_svr": svm.NuSVR(), **{"svr_" + k: svm.SVR(kernel=k) for k in ("linear", "poly", "rbf", "sigmoid")},
        "tree_regressor": tree.DecisionTreeRegressor(max_depth=6), "forest_regressor": e.RandomForestRegressor(20, random_state=0), "extra_trees_regressor": e.ExtraTreesRegressor(20, random_state=0),
        "adaboost_regressor": e.AdaBoostRegressor(n_estimators=5), "bagging_regressor": e.BaggingRegressor(n_estimators=5), "boosting_regressor": e.GradientBoostingRegressor(n_estimators=20),
        "histograms_regressor": e.HistGradientBoostingRegressor(max_iter=20), "voting_regressor": e.VotingRegressor([("a", l.Ridge()), ("b", l.Lasso(.1))]),
        "stacking_regressor": e.StackingRegressor([("a", l.Ridge()), ("b", l.Lasso(.1))]), "mlp_regressor": nn.MLPRegressor(hidden_layer_sizes=(8,), max_iter=30),
        "neighbours_regressor": n.KNeighborsRegressor(5), "neighbours_regressor_weighted": n.KNeighborsRegressor(5, weights="distance"), "radius_regressor": n.RadiusNeighborsRegressor(6.),
        }.items():
        yield name, one, "real"
    yield "poisson", l.PoissonRegressor(), "real positive"
    yield "gamma", l.GammaRegressor(), "real positive"
    yield "tweedie", l.TweedieRegressor(power=1.5), "real positive"
    yield "histograms_lost", e.HistGradientBoostingRegressor(max_iter=20), "real lost"
    for name, kernel in (("rbf", kernels.RBF()), ("matern", kernels.Matern()), ("quadratic", kernels.RationalQuadratic()), ("dot", kernels.DotProduct()),
                         ("sine", kernels.ExpSineSquared(.5, 9.)), ("sum", kernels.ConstantKernel(2.) * kernels.RBF() + kernels.WhiteKernel())):
        yield "gp_" + name, g.GaussianProcessRegressor(kernel, alpha=2., optimizer=None), "real small"
    for name, one in (("linear", l.LinearRegression()), ("forest", e.RandomForestRegressor(10)), ("mlp", nn.MLPRegressor(hidden_layer_sizes=(6,), max_iter=20)), ("neighbours", n.KNeighborsRegressor(3)),
                      ("multi", multioutput.MultiOutputRegressor(l.Ridge())), ("lasso", l.MultiTaskLasso(.1))):
        yield "several_" + name, one, "real several"


def outliers():
    from sklearn import ensemble as e, linear_model as l, neighbors as n, svm, covariance
    yield "isolation_forest", e.IsolationForest(n_estimators=20, random_state=0), ""
    yield "one_class_svm", svm.OneClassSVM(), ""
    yield "one_class_sgd", l.SGDOneClassSVM(), ""
    yield "local_outliers", n.LocalOutlierFactor(novelty=True), ""
    yield "envelope", covariance.EllipticEnvelope(), ""


def boosted():
    from catboost import CatBoostClassifier, CatBoostRegressor
    from lightgbm import LGBMClassifier, LGBMRegressor
    from xgboost import XGBClassifier, XGBRegressor, XGBRFClassifier, XGBRFRegressor
    for name, maker in (("lightgbm", lambda **k: LGBMClassifier(n_estimators=10, verbose=-1, **k)), ("xgboost", lambda **k: XGBClassifier(n_estimators=10, **k))):
        yield name, maker(), ""
        yield name + "_many", maker(), "many"
        yield name + "_lost", maker(), "lost"
    yield "lightgbm_zipmap", LGBMClassifier(n_estimators=10, verbose=-1), "many"
    yield "lightgbm_strings_zipmap", LGBMClassifier(n_estimators=10, verbose=-1), "many strings"
    yield "lightgbm_forest", LGBMClassifier(n_estimators=10, verbose=-1, boosting_type="rf", bagging_freq=1, bagging_fraction=.7), ""
    yield "lightgbm_dart", LGBMClassifier(n_estimators=10, verbose=-1, boosting_type="dart"), ""
    for objective in ("regression", "regression_l1", "huber", "quantile", "mape", "fair"):
        yield "lightgbm_" + objective, LGBMRegressor(n_estimators=10, verbose=-1, objective=objective), "real"
    for objective in ("poisson", "gamma", "tweedie"):
        yield "lightgbm_" + objective, LGBMRegressor(n_estimators=10, verbose=-1, objective=objective), "real positive"
    for objective in ("reg:squarederror", "reg:logistic", "reg:absoluteerror", "reg:pseudohubererror"):
        yield "xgboost_" + objective[4:], XGBRegressor(n_estimators=10, objective=objective), "real" if "log" not in objective else ""
    for objective in ("count:poisson", "reg:gamma", "reg:tweedie"):
        yield "xgboost_" + objective.split(":")[1], XGBRegressor(n_estimators=10, objective=objective), "real positive"
    yield "xgboost_lost_regressor", XGBRegressor(n_estimators=10), "lost real"
    yield "xgboost_forest", XGBRFClassifier(n_estimators=10), "many"
    yield "xgboost_forest_regressor", XGBRFRegressor(n_estimators=10), "real"
    yield "xgboost_linear", XGBRegressor(n_estimators=10, booster="gblinear"), "real"
    yield "xgboost_dart", XGBClassifier(n_estimators=10, booster="dart"), ""
    quiet = {"iterations": 10, "verbose": 0, "allow_writing_files": False}
    yield "catboost", CatBoostClassifier(**quiet), ""
    yield "catboost_many", CatBoostClassifier(**quiet), "many"
    yield "catboost_strings", CatBoostClassifier(**quiet), "many strings"
    yield "catboost_regressor", CatBoostRegressor(**quiet), "real"


def estimators():
    for group in (classifiers, regressors, transformers, pipelines, outliers, boosted):
        yield from group()
