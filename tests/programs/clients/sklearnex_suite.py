# SPDX-License-Identifier: Apache-2.0
"""scikit-learn-intelex with its work on the GPU, compared with scikit-learn itself on the same data."""
import numpy as np
import sklearn.cluster
import sklearn.decomposition
import sklearn.linear_model
import sklearn.neighbors
from sklearnex import config_context
from sklearnex.cluster import DBSCAN, KMeans
from sklearnex.decomposition import PCA
from sklearnex.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearnex.neighbors import KNeighborsClassifier

from checks import check, finish

random = np.random.default_rng(3)
centers = random.uniform(-10, 10, (4, 6))
labels = np.arange(400) % 4
points = (centers[labels] + random.normal(0, 0.5, (400, 6))).astype(np.float32)
weights = np.arange(1, 7, dtype=np.float32)
targets = points @ weights + 2


def on_gpu(work):
    """Nothing may fall back to the host in silence."""
    with config_context(target_offload="gpu", allow_fallback_to_host=False):
        return work()


def close(ours, theirs, tolerance=1e-3):
    return np.allclose(np.asarray(ours), np.asarray(theirs), rtol=tolerance, atol=tolerance)


def linear_regression():
    ours = on_gpu(lambda: LinearRegression().fit(points, targets))
    theirs = sklearn.linear_model.LinearRegression().fit(points, targets)
    return (close(ours.coef_, theirs.coef_) and close(ours.intercept_, theirs.intercept_, 1e-2) and
            close(on_gpu(lambda: ours.predict(points)), theirs.predict(points), 1e-2))


def ridge():
    ours = on_gpu(lambda: Ridge(alpha=0.5).fit(points, targets))
    return close(ours.coef_, sklearn.linear_model.Ridge(alpha=0.5).fit(points, targets).coef_, 1e-2)


def k_means():
    options = {"n_clusters": 4, "n_init": 1, "init": points[:4], "max_iter": 50}
    ours = on_gpu(lambda: KMeans(**options).fit(points))
    theirs = sklearn.cluster.KMeans(**options).fit(points)
    return (close(ours.cluster_centers_, theirs.cluster_centers_) and np.array_equal(ours.labels_, theirs.labels_) and
            np.array_equal(on_gpu(lambda: ours.predict(points)), theirs.labels_))


def principal_components():
    ours = on_gpu(lambda: PCA(n_components=3, svd_solver="covariance_eigh").fit(points))
    theirs = sklearn.decomposition.PCA(n_components=3).fit(points)
    return (close(ours.explained_variance_, theirs.explained_variance_, 1e-2) and
            close(np.abs(ours.components_), np.abs(theirs.components_), 1e-2))


def neighbors():
    ours = on_gpu(lambda: KNeighborsClassifier(5, algorithm="brute").fit(points, labels))
    return np.array_equal(on_gpu(lambda: ours.predict(points)), labels)


def density():
    ours = on_gpu(lambda: DBSCAN(eps=3.0, min_samples=5).fit(points))
    return np.array_equal(ours.labels_, sklearn.cluster.DBSCAN(eps=3.0, min_samples=5).fit(points).labels_)


def logistic_regression():
    # With an intercept, oneMKL's level 1 kernel writes one element behind the coefficients on the B580 (docs/clients.md).
    two = labels < 2
    ours = on_gpu(lambda: LogisticRegression(solver="newton-cg", fit_intercept=False).fit(points[two], labels[two]))
    return np.array_equal(on_gpu(lambda: ours.predict(points[two])), labels[two])


check("linear regression", linear_regression)
check("ridge regression", ridge)
check("k-means", k_means)
check("principal components", principal_components)
check("nearest neighbours", neighbors)
check("DBSCAN", density)
check("logistic regression", logistic_regression)
finish()
