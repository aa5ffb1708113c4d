// OpenMP, which compilers bring themselves, as far as files that are read beside kernels name it.
#ifndef CLADPY_OMP_H
#define CLADPY_OMP_H

typedef struct {
  void *lock;
} omp_lock_t;

extern "C" {
int omp_get_thread_num();
int omp_get_num_threads();
int omp_get_max_threads();
int omp_get_num_procs();
int omp_in_parallel();
int omp_get_level();
int omp_get_team_num();
int omp_get_num_teams();
int omp_get_num_devices();
int omp_get_default_device();
int omp_get_initial_device();
int omp_is_initial_device();
void omp_set_num_threads(int);
void omp_set_dynamic(int);
void omp_set_nested(int);
void omp_set_max_active_levels(int);
void omp_set_default_device(int);
double omp_get_wtime();
double omp_get_wtick();
void omp_init_lock(omp_lock_t *);
void omp_destroy_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
}

#endif
