/*
** Exported models in C++11: objects that free themselves, failures as exceptions.
**
** A Model is a handle; copies share what was loaded, which lives as long as one of them, or a
** simulation or view of it.  A Sim and a View can be moved, not copied, and belong to one thread at
** a time.  handle() is the object of the C library, for everything that is not here.
*/
#ifndef SARRUS_SARRUS_HPP
#define SARRUS_SARRUS_HPP

#include <cstring>
#include <exception>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sarrus/sarrus.h"

namespace sarrus {

/* What a call answered, and in words what it was about. */
class Error : public std::runtime_error {
 public:
  Error(sarrus_Status status, const std::string &text)
      : std::runtime_error(std::string(sarrus_status_name(status)) + ": " + text),
        status_(status) {}
  sarrus_Status status() const { return status_; }

 private:
  sarrus_Status status_;
};

typedef std::shared_ptr<sarrus_Model> ModelPointer;

namespace inside {

inline void check(sarrus_Status status, const std::string &about) {
  if (status < 0) throw Error(status, about + ": " + sarrus_status_text(status));
}

inline int index(const sarrus_Model *model, sarrus_List list, const std::string &name) {
  const int found = sarrus_model_find(model, list, name.c_str());
  if (found == SARRUS_NONE) throw Error(SARRUS_ARGUMENT, "the model has no '" + name + "' there");
  return found;
}

/* Exceptions must not pass through C: what a callback throws is kept, and thrown by the call. */
struct Watch {
  int (*cancelled)(void *ud);
  void *cancelled_ud;
  sarrus_Stepped stepped;
  void *stepped_ud;
  std::exception_ptr thrown;

  static int ask(void *self) {
    Watch *watch = static_cast<Watch *>(self);
    try {
      return watch->cancelled(watch->cancelled_ud);
    } catch (...) {
      watch->thrown = std::current_exception();
      return 1;
    }
  }
  static int tell(void *self, const sarrus_Sim *sim) {
    Watch *watch = static_cast<Watch *>(self);
    try {
      return watch->stepped(watch->stepped_ud, sim);
    } catch (...) {
      watch->thrown = std::current_exception();
      return 1;
    }
  }
};

struct FreeSim {
  void operator()(sarrus_Sim *sim) const { sarrus_sim_free(sim); }
};

struct FreeView {
  void operator()(sarrus_View *view) const { sarrus_view_free(view); }
};

}  // namespace inside

/* Parameters by name. */
typedef std::initializer_list<std::pair<std::string, double>> Values;

/* A coordinate of a joint, or its rate, for a start. */
struct Wish {
  std::string joint;
  sarrus_Reading reading;
  double value;
};

/* A simulation.  One that was moved from has nothing but its destructor. */
class Sim {
 public:
  Sim(ModelPointer model, sarrus_Sim *sim)
      : model_(std::move(model)), sim_(sim), watch_(new inside::Watch()) {}

  sarrus_Sim *handle() const { return sim_.get(); }
  double time() const { return sarrus_sim_time(sim_.get()); }

  /*
  ** Go to exactly t, backwards too.  False where on_cancel or on_step has ended it; what a callback
  ** has thrown is thrown on, once the simulation stands at a step's end.
  */
  bool advance(double t) { return goes_on(sarrus_sim_advance(sim_.get(), t)); }

  /* One step, or what is left of one, no farther than a limit: how far it went. */
  double step() {
    double size = 0;
    goes_on(sarrus_sim_step(sim_.get(), &size));
    return size;
  }
  double step(double limit) {
    double size = 0;
    goes_on(sarrus_sim_step_until(sim_.get(), limit, &size));
    return size;
  }

  /* Parameters, by name; several at one price. */
  double get(const std::string &parameter) const {
    return sarrus_sim_get(sim_.get(), inside::index(model_.get(), SARRUS_PARAMETERS, parameter));
  }
  void set(const std::string &parameter, double value) {
    const int index = inside::index(model_.get(), SARRUS_PARAMETERS, parameter);
    check(sarrus_model_set(model_.get(), sim_.get(), 1, &index, &value));
  }
  void set(Values values) {
    std::vector<int> indices;
    std::vector<double> numbers;
    for (const auto &one : values) {
      indices.push_back(inside::index(model_.get(), SARRUS_PARAMETERS, one.first));
      numbers.push_back(one.second);
    }
    check(sarrus_model_set(model_.get(), sim_.get(), static_cast<int>(indices.size()),
                           indices.data(), numbers.data()));
  }

  /* Joints, forces and contacts by list and name; locks by joint. */
  void release(sarrus_List list, const std::string &name) { let_go(list, name, 1); }
  void engage(sarrus_List list, const std::string &name) { let_go(list, name, 0); }
  void lock(const std::string &joint) { hold(joint, 1); }
  void unlock(const std::string &joint) { hold(joint, 0); }

  /* On a body, in world axes, at its centre of mass or at a world point. */
  void impulse(const std::string &body, const double (&j)[3]) { strike(body, j, nullptr); }
  void impulse(const std::string &body, const double (&j)[3], const double (&at)[3]) {
    strike(body, j, at);
  }

  /* Whether one of SARRUS_LAWS was struck at the present instant: along its gap and its slips. */
  bool struck(int law, double (&impulse)[3]) const {
    return sarrus_sim_struck(sim_.get(), law, impulse) != 0;
  }

  /*
  ** Who is asked before each step of an advance, and who hears of each step: 1 ends the call.  Both
  ** may throw; nullptr: nobody.
  */
  void on_cancel(int (*cancelled)(void *ud), void *ud) {
    watch_->cancelled = cancelled;
    watch_->cancelled_ud = ud;
    sarrus_sim_on_cancel(sim_.get(), cancelled == nullptr ? nullptr : inside::Watch::ask,
                         watch_.get());
  }
  void on_step(sarrus_Stepped stepped, void *ud) {
    watch_->stepped = stepped;
    watch_->stepped_ud = ud;
    sarrus_sim_on_step(sim_.get(), stepped == nullptr ? nullptr : inside::Watch::tell,
                       watch_.get());
  }

  std::string save() const {
    std::string record(sarrus_sim_save(sim_.get(), nullptr, 0, nullptr, 0), '\0');
    if (record.empty()) throw Error(SARRUS_NOMEM, "save");
    sarrus_sim_save(sim_.get(), nullptr, 0, &record[0], record.size());
    return record;
  }
  Sim clone() const {
    sarrus_Sim *copy = nullptr;
    inside::check(sarrus_sim_clone(sim_.get(), &copy), "clone");
    Sim result(model_, copy);
    result.on_cancel(watch_->cancelled, watch_->cancelled_ud);
    result.on_step(watch_->stepped, watch_->stepped_ud);
    return result;
  }

 private:
  void check(sarrus_Status status) const {
    if (status >= 0) return;
    char text[1024];
    sarrus_model_fault_text(model_.get(), status, sarrus_sim_fault(sim_.get()), text, sizeof text);
    throw Error(status, text);
  }
  bool goes_on(sarrus_Status status) {
    if (watch_->thrown) {
      std::exception_ptr thrown;
      std::swap(thrown, watch_->thrown);
      std::rethrow_exception(thrown);
    }
    if (status != SARRUS_CANCELLED) check(status);
    return status != SARRUS_CANCELLED;
  }
  void let_go(sarrus_List list, const std::string &name, int released) {
    check(sarrus_model_release(model_.get(), sim_.get(), list,
                               inside::index(model_.get(), list, name), released));
  }
  void strike(const std::string &body, const double *j, const double *at) {
    check(sarrus_model_impulse(model_.get(), sim_.get(),
                               inside::index(model_.get(), SARRUS_BODIES, body), j, at));
  }
  void hold(const std::string &joint, int locked) {
    check(sarrus_model_lock(model_.get(), sim_.get(),
                            inside::index(model_.get(), SARRUS_JOINTS, joint), locked));
  }

  ModelPointer model_;
  std::unique_ptr<sarrus_Sim, inside::FreeSim> sim_;
  std::unique_ptr<inside::Watch> watch_;
};

/* What can be seen of a simulation; all of it as of the last look. */
class View {
 public:
  View(ModelPointer model, sarrus_View *view) : model_(std::move(model)), view_(view) {}

  sarrus_View *handle() const { return view_.get(); }
  void look(const Sim &sim) {
    inside::check(sarrus_view_look(view_.get(), sim.handle()), "view: look");
  }
  void look(const Sim &sim, double t) {
    inside::check(sarrus_view_look_at(view_.get(), sim.handle(), t), "view: look");
  }

  sarrus_Pose body(int index) const {
    sarrus_Pose pose;
    inside::check(sarrus_view_body(view_.get(), index, &pose), "view: body");
    return pose;
  }
  sarrus_Pose body(const std::string &name) const {
    return body(inside::index(model_.get(), SARRUS_BODIES, name));
  }
  sarrus_JointSight joint(int index) const {
    sarrus_JointSight sight;
    inside::check(sarrus_view_joint(view_.get(), index, &sight), "view: joint");
    return sight;
  }
  sarrus_JointSight joint(const std::string &name) const {
    return joint(inside::index(model_.get(), SARRUS_JOINTS, name));
  }
  sarrus_ContactSight contact(int index) const {
    sarrus_ContactSight sight;
    inside::check(sarrus_view_contact(view_.get(), index, &sight), "view: contact");
    return sight;
  }
  sarrus_ContactSight contact(const std::string &name) const {
    return contact(inside::index(model_.get(), SARRUS_CONTACTS, name));
  }
  /* One of SARRUS_LAWS. */
  sarrus_PointSight point(int law) const {
    sarrus_PointSight sight;
    inside::check(sarrus_view_point(view_.get(), law, &sight), "view: point");
    return sight;
  }
  /* The i-th of the channels that it was made with. */
  double value(int i) const { return sarrus_view_value(view_.get(), i); }

 private:
  ModelPointer model_;
  std::unique_ptr<sarrus_View, inside::FreeView> view_;
};

class Model {
 public:
  static Model load(const std::string &path, sarrus_Memory memory = sarrus_memory_default()) {
    sarrus_Model *model = nullptr;
    int error = 0;
    const sarrus_Status status = sarrus_model_load(memory, path.c_str(), &model, &error);
    if (status == SARRUS_IO) throw Error(status, path + ": " + std::strerror(error));
    inside::check(status, path);
    return Model(model, memory);
  }
  static Model read(const std::string &data, sarrus_Memory memory = sarrus_memory_default()) {
    sarrus_Model *model = nullptr;
    inside::check(sarrus_model_read(memory, data.data(), data.size(), &model), "a model");
    return Model(model, memory);
  }

  sarrus_Model *handle() const { return model_.get(); }
  std::string name() const { return name(SARRUS_WHOLE, 0); }

  /* What is in it, by list; an index that is none is answered as "" or an empty list. */
  int count(sarrus_List list) const { return sarrus_model_count(model_.get(), list); }
  std::string name(sarrus_List list, int index) const {
    const char *found = sarrus_model_name(model_.get(), list, index);
    return found == nullptr ? "" : found;
  }
  bool has(sarrus_List list, const std::string &name) const {
    return sarrus_model_find(model_.get(), list, name.c_str()) != SARRUS_NONE;
  }
  int index(sarrus_List list, const std::string &name) const {
    return inside::index(model_.get(), list, name);
  }
  std::string text(sarrus_List list, int index, const std::string &field) const {
    const char *found = sarrus_model_text(model_.get(), list, index, field.c_str());
    return found == nullptr ? "" : found;
  }
  std::vector<double> numbers(sarrus_List list, int index, const std::string &field) const {
    int count = 0;
    const double *x = sarrus_model_numbers(model_.get(), list, index, field.c_str(), &count);
    return std::vector<double>(x, x + count);
  }

  /*
  ** A simulation at the model's start, or with coordinates of joints and rates as wanted, and with
  ** other parameters, `fixed` ones too.
  */
  Sim simulate(std::initializer_list<Wish> wishes = {},
               const sarrus_SimOptions &options = sarrus_SimOptions(), Values values = {}) const {
    std::vector<sarrus_Wish> list;
    for (const Wish &one : wishes)
      list.push_back(sarrus_Wish{index(SARRUS_JOINTS, one.joint), one.reading, one.value});
    sarrus_Sim *made = nullptr;
    sarrus_SimOptions own = options;
    own.cancelled = nullptr;
    inside::check(sarrus_model_prepare(memory_, model_.get(), &own, &made), "simulate");
    Sim sim(model_, made);
    sim.on_cancel(options.cancelled, options.ud);
    for (const auto &one : values)
      inside::check(sarrus_sim_preset(made, index(SARRUS_PARAMETERS, one.first), one.second),
                    "simulate: " + one.first);
    const sarrus_Status status =
        sarrus_model_start(model_.get(), made, static_cast<int>(list.size()), list.data());
    if (status < 0) {
      char text[1024];
      sarrus_model_fault_text(model_.get(), status, sarrus_sim_fault(made), text, sizeof text);
      throw Error(status, text);
    }
    return sim;
  }
  Sim restore(const std::string &record) const {
    sarrus_Sim *made = nullptr;
    int extras = 0;
    inside::check(sarrus_sim_restore(memory_, sarrus_model_system(model_.get()), nullptr,
                                     record.data(), record.size(), nullptr, &extras, &made),
                  "restore");
    return Sim(model_, made);
  }

  /* A view of lists, and of channels by name. */
  View view(std::initializer_list<sarrus_List> lists,
            const std::vector<std::string> &channels = {}) const {
    unsigned all = 0;
    std::vector<int> indices;
    for (sarrus_List list : lists)
      all |= 1u << list;
    for (const std::string &channel : channels)
      indices.push_back(index(SARRUS_CHANNELS, channel));
    sarrus_View *made = nullptr;
    inside::check(sarrus_view_new(memory_, model_.get(), all, static_cast<int>(indices.size()),
                                  indices.data(), &made),
                  "view");
    return View(model_, made);
  }

 private:
  Model(sarrus_Model *model, sarrus_Memory memory)
      : model_(model, sarrus_model_free), memory_(memory) {}

  ModelPointer model_;
  sarrus_Memory memory_;
};

}  // namespace sarrus

#endif
