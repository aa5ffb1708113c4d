// Scratch memory of teams, loops over four and five indices, results of two kinds.
// gradients: staged smoothed two_scratches contracted five mixed
#include <Kokkos_Core.hpp>

using Matrix = Kokkos::View<double **>;
using Values = Kokkos::View<double *>;
using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Kokkos::View<double *, Kokkos::DefaultExecutionSpace::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// What a team has loaded is used by all of its threads.
void staged(const Matrix &a, const Matrix &c) {
  const int columns = static_cast<int>(a.extent(1));
  Policy policy(a.extent(0), Kokkos::AUTO);
  policy.set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(columns)));
  Kokkos::parallel_for("staged", policy, KOKKOS_LAMBDA(const Member &team) {
    const int i = team.league_rank();
    Scratch row(team.team_scratch(0), columns);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, columns), [&](const int j) { row(j) = Kokkos::sin(a(i, j)); });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, columns), [&](const int j) { c(i, j) += a(i, j) * row(j) * row((j + 1) % columns); });
  });
}

double smoothed(const Matrix &a, int times) {
  const int columns = static_cast<int>(a.extent(1));
  double all = 0;
  Kokkos::parallel_reduce(Policy(a.extent(0), Kokkos::AUTO).set_scratch_size(1, Kokkos::PerTeam(Scratch::shmem_size(columns))),
                          KOKKOS_LAMBDA(const Member &team, double &sum) {
    const int i = team.league_rank();
    Scratch row(team.team_scratch(1), columns);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, columns), [&](const int j) { row(j) = a(i, j); });
    team.team_barrier();
    for (int t = 0; t < times; ++t) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, columns), [&](const int j) { row(j) = row(j) * row(j) * a(i, j); });
      team.team_barrier();
    }
    double here = 0;
    Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, columns), [&](const int j, double &s) { s += row(j); }, here);
    if (team.team_rank() == 0) sum += here;
  }, all);
  return all;
}

void two_scratches(const Kokkos::View<double ***> &a, const Values &y) {
  using Table = Kokkos::View<double **, Kokkos::DefaultExecutionSpace::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  using Places = Kokkos::View<int *, Kokkos::DefaultExecutionSpace::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  const int rows = static_cast<int>(a.extent(1)), columns = static_cast<int>(a.extent(2));
  const size_t bytes = Table::shmem_size(rows, columns) + Scratch::shmem_size(rows) + Places::shmem_size(rows);
  Kokkos::parallel_for(Policy(a.extent(0), Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(bytes)), KOKKOS_LAMBDA(const Member &team) {
    const int e = team.league_rank();
    Table table(team.team_scratch(0), rows, columns);
    Scratch sums(team.team_scratch(0), rows);
    Places places(team.team_scratch(0), rows);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](const int i) {
      places(i) = (i * 3) % rows;
      for (int j = 0; j < columns; ++j) table(i, j) = a(e, i, j) * a(e, i, j);
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](const int i) {
      double s = 0;
      for (int j = 0; j < columns; ++j) s += table(places(i), j) * table(i, j);
      sums(i) = s;
    });
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      double s = 0;
      for (int i = 0; i < rows; ++i) s += sums(i);
      y(e) = s;
    });
  });
}

void contracted(const Kokkos::View<double ****> &a, const Kokkos::View<double ****> &b) {
  using Range4 = Kokkos::MDRangePolicy<Kokkos::Rank<4>>;
  Kokkos::parallel_for("four", Range4({0, 0, 0, 0}, {7, 5, 4, 3}), KOKKOS_LAMBDA(const int i, const int j, const int k, const int l) {
    b(i, j, k, l) = a(i, j, k, l) * b(i, j, k, l) + i * l;
  });
}

double five(const Kokkos::View<double ****> &a) {
  using Range5 = Kokkos::MDRangePolicy<Kokkos::Rank<5>>;
  double sum = 0;
  Kokkos::parallel_reduce("five", Range5({0, 1, 0, 0, 0}, {7, 5, 4, 3, 2}),
                          KOKKOS_LAMBDA(const int i, const int j, const int k, const int l, const int m, double &s) {
    s += a(i, j, k, l) * a(i, j - m, k, l);
  }, sum);
  return sum;
}

double mixed(const Values &x) {
  double sum = 0, largest = 0;
  Kokkos::parallel_reduce("mixed", x.extent(0), KOKKOS_LAMBDA(const int i, double &s, double &m) {
    s += x(i) * x(i);
    m = Kokkos::fmax(m, x(i) * (1 + i % 2));
  }, sum, Kokkos::Max<double>(largest));
  return sum * largest;
}
