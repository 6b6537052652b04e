/* Options given to Qhull, those of scipy.spatial.Delaunay: d Delaunay; Qt cospherical corners are
 * triangulated, so that of the diagonals of a square one is an edge; Qbb the last coordinate is scaled; Qc
 * points that are left out are reported; Qz a point at infinity, for points on one sphere; Q12 wide facets
 * are let through; Qx, above four dimensions, exact merging is delayed. */
#include "math/graph/delaunay.h"

#ifdef ALD_HAVE_QHULL
#include <libqhull_r/qhull_ra.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t set_size(const setT *set)
{
    int64_t count = 0;
    const setelemT *element = set ? set->e : NULL;
    while (element && (element++)->p) count++;
    return count;
}

/* Counts simplices and corners, or writes them down. */
static int64_t walk(qhT *qh, ald_simplices *simplices, int write)
{
    int64_t count = 0, at = 0;
    facetT *facet;
    FORALLfacets
    {
        if (facet->upperdelaunay) continue;
        if (write) {
            const setT *const sets[] = {facet->vertices, facet->coplanarset};
            for (const setelemT *e = sets[0]->e; e->p; e++)
                simplices->corners[at++] = qh_pointid(qh, ((const vertexT *)e->p)->point);
            for (const setelemT *e = sets[1] ? sets[1]->e : NULL; e && e->p; e++)
                simplices->corners[at++] = qh_pointid(qh, e->p);
            simplices->pointers[count + 1] = at;
        } else {
            at += set_size(facet->vertices) + set_size(facet->coplanarset);
        }
        count++;
    }
    simplices->count = count;
    return at;
}

static ald_status read_simplices(ald_run *run, qhT *qh, ald_simplices *simplices)
{
    const int64_t corners = walk(qh, simplices, 0);
    ALD_TRY(ald_scratch(run, simplices->count + 1, 1, sizeof *simplices->pointers, &simplices->pointers));
    ALD_TRY(ald_scratch(run, corners, 1, sizeof *simplices->corners, &simplices->corners));
    simplices->pointers[0] = 0;
    walk(qh, simplices, 1);
    return ALD_OK;
}

/* What Qhull wrote, its first line. */
static ald_status failed(ald_run *run, int code, const char *told)
{
    const int length = (int)strcspn(told ? told : "", "\n");
    if (code == qh_ERRmem) return ald_fail(run->error, ALD_ERROR_MEMORY, "out of memory in Qhull");
    return ald_fail(run->error, ALD_ERROR_NUMERICAL,
                    "the Delaunay triangulation failed (Qhull %d: %.*s); use `graph=knn` instead", code,
                    length, told ? told : "");
}

ald_status ald_delaunay(ald_run *run, int64_t n, int64_t d, double *points, ald_simplices *simplices)
{
    char plain[] = "qhull d Qt Qbb Qc Qz Q12", delayed[] = "qhull d Qt Qbb Qc Qz Q12 Qx";
    char *told = NULL;
    size_t size;
    qhT *qh;
    int curlong, totlong;
    if (n > INT_MAX) return ald_fail(run->error, ALD_ERROR_MEMORY, "Qhull takes at most %d points", INT_MAX);
    ALD_TRY(ald_scratch(run, 1, 1, sizeof *qh, &qh));
    FILE *messages = open_memstream(&told, &size);
    if (!messages) return ald_out_of_memory(run, 1, BUFSIZ, 1);
    qh_zero(qh, messages);
    const int code =
        qh_new_qhull(qh, (int)d, (int)n, points, False, d > 4 ? delayed : plain, messages, messages);
    fflush(messages);
    const ald_status status = code ? failed(run, code, told) : read_simplices(run, qh, simplices);
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &curlong, &totlong);
    fclose(messages);
    free(told);
    return status;
}

#else

ald_status ald_delaunay(ald_run *run, int64_t n, int64_t d, double *points, ald_simplices *simplices)
{
    (void)n;
    (void)d;
    (void)points;
    (void)simplices;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "this build lacks Qhull, which `graph=natural` needs: install libqhull-dev and build "
                    "again, or use graph=knn");
}

#endif
