/*
** The module sarrus.mpi: texts between the processes of a sweep.  Built where Open MPI is found.
*/
#define _POSIX_C_SOURCE 200809L
#include <lauxlib.h>
#include <lua.h>
#include <mpi.h>
#include <time.h>

enum { TAG = 0 };

/* Between two looks for a message, so that one who waits does not keep a processor. */
static const struct timespec PAUSE = {0, 500000};

/* mpi.start(): the number of this process, from 0, and how many there are */
static int start(lua_State *L) {
  int provided, rank, size;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
    return luaL_error(L, "MPI does not start");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  lua_pushinteger(L, rank);
  lua_pushinteger(L, size);
  return 2;
}

/* mpi.send(text, to) */
static int send_text(lua_State *L) {
  size_t length;
  const char *text = luaL_checklstring(L, 1, &length);
  MPI_Send(text, (int)length, MPI_CHAR, (int)luaL_checkinteger(L, 2), TAG, MPI_COMM_WORLD);
  return 0;
}

/* mpi.receive(seconds): a text and whose it is; nothing where none comes in time */
static int receive(lua_State *L) {
  const double until = MPI_Wtime() + luaL_checknumber(L, 1);
  MPI_Status status;
  int there = 0, length;
  for (;;) {
    MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status);
    if (there) break;
    if (MPI_Wtime() > until) return 0;
    nanosleep(&PAUSE, NULL);
  }
  MPI_Get_count(&status, MPI_CHAR, &length);
  char *text = lua_newuserdata(L, (size_t)length + 1);
  MPI_Recv(text, length, MPI_CHAR, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  lua_pushlstring(L, text, (size_t)length);
  lua_pushinteger(L, status.MPI_SOURCE);
  return 2;
}

/* mpi.finish(): all processes do */
static int finish(lua_State *L) {
  (void)L;
  MPI_Finalize();
  return 0;
}

/* mpi.abort(code): ends all processes at once */
static int end_all(lua_State *L) {
  MPI_Abort(MPI_COMM_WORLD, (int)luaL_checkinteger(L, 1));
  return 0;
}

__attribute__((visibility("default"))) int luaopen_sarrus_mpi(lua_State *L);

int luaopen_sarrus_mpi(lua_State *L) {
  static const luaL_Reg functions[] = {{"start", start},     {"send", send_text},
                                       {"receive", receive}, {"finish", finish},
                                       {"abort", end_all},   {NULL, NULL}};
  lua_newtable(L);
  for (const luaL_Reg *one = functions; one->name != NULL; one++) {
    lua_pushcfunction(L, one->func);
    lua_setfield(L, -2, one->name);
  }
  return 1;
}
