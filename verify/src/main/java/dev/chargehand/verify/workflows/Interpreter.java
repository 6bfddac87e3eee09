package dev.chargehand.verify.workflows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a run of a workflow must give, without runs, stores and threads. Used once. */
final class Interpreter {

    /** The state that the steps share. */
    final Map<String, Long> state = new TreeMap<>();

    /** The calls whose work must be done, such as {@code e1[2]#1} and {@code e2#3}. */
    final TreeSet<String> calls = new TreeSet<>();

    /** What must be asked, such as {@code e1[2]#1?2}. */
    final TreeSet<String> asked = new TreeSet<>();

    private final Set<String> unknown;

    /**
     * Make one.
     *
     * @param unknown the calls whose outcome is unknown, which therefore fail
     */
    Interpreter(Set<String> unknown) {
        this.unknown = unknown;
    }

    /** Ends a run before its last entry. */
    private static final class EndException extends Exception {
        private static final long serialVersionUID = 1L;
        private final String how;

        private EndException(String how) {
            super(how, null, false, false);
            this.how = how;
        }
    }

    /** Return how the run ends: {@code finished 7}, {@code bailed 7}, {@code failed <path>}, {@code limit}. */
    String run(List<Part> parts, long input) {
        long value = input;
        try {
            for (Part part : parts) {
                value = run(part, value);
            }
            return "finished " + value;
        } catch (EndException e) {
            return e.how;
        }
    }

    private long run(Part part, long in) throws EndException {
        return switch (part) {
            case Part.Then then -> one(then.work(), in);
            case Part.Bail bail -> {
                long out = call(bail.work(), bail.work().id(), 1, in, in % bail.of() == 0);
                failIf(bail.work().id(), out);
                yield out;
            }
            case Part.Map map -> in + map.plus();
            case Part.Sleep ignored -> in;
            case Part.Parallel parallel -> sum(parallel.works(), in);
            case Part.Branch branch ->
                in % branch.of() == 0 ? one(branch.yes(), in) : branch.passes() ? in : one(branch.no(), in);
            case Part.BranchAll branch -> {
                List<Part.Work> chosen = new ArrayList<>();
                for (int i = 0; i < branch.works().size(); i++) {
                    if (in % (i + 2) == 0) {
                        chosen.add(branch.works().get(i));
                    }
                }
                yield sum(chosen, in);
            }
            case Part.Loop loop -> {
                long value = in;
                for (int iteration = 1; ; iteration++) {
                    value = call(loop.work(), loop.work().id(), iteration, value, false);
                    failIf(loop.work().id(), value);
                    if (value % loop.of() == 0) {
                        yield value;
                    }
                    if (iteration >= loop.atMost()) {
                        throw new EndException("limit");
                    }
                }
            }
            case Part.Foreach foreach -> items(foreach, in);
        };
    }

    private long items(Part.Foreach foreach, long in) throws EndException {
        List<Long> outs = new ArrayList<>();
        String failed = null;
        for (int i = 0; i < in % (foreach.mostItems() + 1); i++) {
            String path = foreach.id() + "[" + i + "]";
            long out = call(foreach.work(), path, 1, in + i, false);
            failed = out < 0 && failed == null ? path : failed;
            outs.add(out);
            if (failed != null && !foreach.collects()) {
                throw new EndException("failed " + failed); // no other item starts
            }
        }
        return Part.Foreach.joined(outs);
    }

    private long sum(List<Part.Work> works, long in) throws EndException {
        long sum = 0;
        String failed = null;
        for (Part.Work work : works) {
            long out = call(work, work.id(), 1, in, false);
            failed = out < 0 && failed == null ? work.id() : failed;
            sum += out;
        }
        failIf(failed == null ? "" : failed, failed == null ? 0 : -1);
        return sum;
    }

    private long one(Part.Work work, long in) throws EndException {
        long out = call(work, work.id(), 1, in, false);
        failIf(work.id(), out);
        return out;
    }

    private static void failIf(String path, long out) throws EndException {
        if (out < 0) {
            throw new EndException("failed " + path);
        }
    }

    /** Return what a call gives, or -1 if it fails. */
    private long call(Part.Work work, String place, int iteration, long in, boolean bails) throws EndException {
        String path = work.path(place, in);
        String call = path + "#" + iteration;
        Questions questions = work.questions();
        if (unknown.contains(call)) {
            calls.add(call);
            return -1;
        }
        if (questions.late() && work.failures() > 0) {
            calls.add(call);
            if (work.fails()) {
                return failed(work);
            }
        }
        long answers = 0;
        for (int number = 1; number <= questions.count(); number++) {
            asked.add(call + "?" + number);
            if (!work.once() && !work.nested()) {
                state.put(path + "?", (long) number);
            }
            if (questions.isDeclined(call, number)) {
                return failed(work);
            }
            answers += Questions.answer(call, number);
        }
        calls.add(call);
        if (bails) {
            throw new EndException("bailed " + in);
        }
        if (work.fails()) {
            return failed(work);
        }
        state.put(path, in);
        return work.apply(in, answers);
    }

    private static long failed(Part.Work work) {
        return work.rescued() ? 0 : -1;
    }
}
