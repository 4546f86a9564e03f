--- Which tests concern a file that spec/mutants.lua changes: nearest first, all of them quick.

local concerned = {
  files = "core/src/sim*.c core/src/maker*.c core/src/search*.c core/src/kkt*.c core/src/lcp*.c "
    .. "core/src/roots*.c core/src/expansion*.c lua/sarrus/model/*.lua lua/sarrus/model/*/*.lua "
    .. "lua/sarrus/joint/*.lua lua/sarrus/force/*.lua lua/sarrus/body/*.lua "
    .. "lua/sarrus/shape/*.lua lua/sarrus/contact/*.lua",
}

--- By a file's name in the core, and by its first word.
local tests = {
  sim = "sim_record sim_plausible sim_guards sim_contact_guards sim_slip sim_switches "
    .. "sim_zeros sim_far sim_touch sim_set sim_state sim_tangent_changes sim_format "
    .. "sim_put_off sim_mode sim_event sim_run sim_options sim sim_change sim_notes sim_save "
    .. "sim_near sim_faults sim_arguments event contact contact_changes "
    .. "contact_bearing contact_bounce sim_stiff maker_near maker_project maker_control "
    .. "event_random sim_directions sim_tangent sim_symmetry model model_calls system_dae",
  maker = "maker_control maker_bounds maker_pole maker_near maker_project maker sim "
    .. "sim_near sim_change sim_stiff implicit sim_plausible sim_mode sim_event "
    .. "sim_run sim_faults event expansion_random system_dae model contact "
    .. "sim_symmetry lanes ensemble",
  implicit = "implicit_radau implicit sim_stiff",
  tape = "tape tape_leads tape_dual tangent tangent_variation expansion expansion_random "
    .. "system_dae implicit lanes",
  contact = "contact contact_bearing contact_changes contact_impact contact_space contact_stack "
    .. "sim_tangent",
  tangent = "tangent tangent_variation sim_tangent", model = "model fuzz_models",
  ensemble = "ensemble sim_threads",
  event = "event sim_event search event_random",
  search = "search search_inputs event sim sim_near sim_event sim_mode event_random "
    .. "sim_plausible contact",
  kkt = "kkt_bounds kkt_pivots kkt_markowitz kkt_several kkt_tree kkt_scales "
    .. "kkt_random kkt_rank kkt_order kkt kkt_sparse maker sim system_dae "
    .. "expansion_random implicit sim_faults",
  lcp = "lcp lcp_friction lcp_cone impact contact_impact contact_space contact_stack contact",
  roots = "roots_bounds roots_touches event roots search sim sim_event sim_mode "
    .. "event_random sim_near",
  expansion = "expansion_newton expansion_pieces expansion_bounds expansion_random "
    .. "expansion expansion_faults system_dae maker sim maker_project maker_near "
    .. "sim_mode sim_faults sim_stiff contact",
}
local specs = {
  sim = "sim sim_corner sim_save contact_events modes nonsmooth contact letting_go sim_events "
    .. "contact_edges lift struck passage random_branches",
  maker = "sim sim_corner pole stiff steep_table nonsmooth robot model_accuracy overconstrained "
    .. "sim_accuracy",
  search = "contact_events limits nonsmooth time_unit sim_events",
  kkt = "massless overconstrained pole model_accuracy machine_examples",
  lcp = "contact struck unique contact_edges",
  roots = "contact_events limits sim_events",
  expansion = "sim adomian system nonsmooth",
}

--- By the name of a file of the model, before those of all.
local near = {
  assemble = "model_assembly limits kept", bearing = "joint_friction", body = "observe",
  change = "release lock struck prescribed parameters",
  contact = "modes", contacts = "contact_events", coupled = "joint/coupled", jacobian = "reach",
  leading = "reach", tangent = "sensitivity",
  drawing = "scene", redrawn = "geometry scene model_assembly", drive = "joint/revolute prescribed",
  equations = "units joint/coupled", explain = "modes",
  failure = "errors prescribed release model_assembly", form = "shape geometry",
  inertia = "body", joint = "observe record", lint = "warnings", posing = "turns model_assembly",
  redundancy = "overconstrained",
  constraint = "joint/couplings", idle = "unique", nearest = "model_assembly",
  holding = "kept model_assembly", outside = "limits kept", nearby = "overconstrained",
  size = "model_units speed", stop = "limits", touch = "contact far_contact",
  touch_planar = "gap contact geometry", touch_spatial = "gap contact geometry far_contact",
  probe = "immovable", rolling = "scene",
}
local of_models = "model_errors part body force shape joint/others joint/revolute joint/prismatic "
  .. "joint/couplings model_edges unique lock kept contact limits joint_friction model_accuracy "
  .. "overconstrained model_moved model_invariants model"

local function exists(path)
  local file = io.open(path)
  return file ~= nil and file:close()
end

--- The words of some texts, each once, of which there is a file.
local function words(pattern, ...)
  local list, known = {}, {}
  for word in table.concat({ ... }, " "):gmatch("%S+") do
    if not known[word] and exists(pattern:format(word)) then
      known[word] = true
      list[#list + 1] = word
    end
  end
  return list
end

--- The name of a file, or of the folder whose init.lua it is.
local function stem(path)
  return path:gsub("/init%.lua$", ".lua"):match("([^/]+)%.%w+$")
end

--- The names of C tests, as in core/tests/test_<name>.c.
function concerned.tests(path)
  local name = stem(path)
  return words("core/tests/test_%s.c", name, tests[name:match("^%a+")] or "",
    tests[name] or "")
end

--- The names of specs, as in spec/<name>_spec.lua.
function concerned.specs(path)
  local name = stem(path)
  if path:find("^lua/") then
    return words("spec/%s_spec.lua", name, near[name] or "", of_models)
  end
  return words("spec/%s_spec.lua", name, specs[name:match("^%a+")] or "")
end

return concerned
