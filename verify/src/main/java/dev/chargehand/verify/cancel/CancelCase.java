package dev.chargehand.verify.cancel;

import dev.chargehand.run.StopReason;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One cancellation.
 *
 * @param number its number
 * @param depth how many agents stand on the path
 * @param moment what the innermost is doing
 * @param way how the run is cancelled
 * @param links how each of them is reached, the outermost first
 * @param siblingDepth the agent with a running tool, or running steps of workflows, next to what it calls, from 1; 0 for none
 * @param pause how long after the moment started
 * @param early whether the moment is not awaited at all, but only the pause
 * @param network whether the run is a network, whose outermost agent does one thing after the other
 * @param structured whether the answer of the run is to be an object
 * @param task whether the outermost agent has started a background task, which ignores the cancel
 * @param closer what else closes the connections of the models
 * @param idle whether the call waits for its tasks too, and for the turns that they start
 */
record CancelCase(
        long number,
        int depth,
        Moment moment,
        Way way,
        List<Link> links,
        int siblingDepth,
        Duration pause,
        boolean early,
        boolean network,
        boolean structured,
        boolean task,
        Closer closer,
        boolean idle) {

    private static final List<Moment> MOMENTS = List.of(Moment.values());
    private static final List<Link> LINKS = List.of(Link.values());
    private static final List<Way> WAYS = List.of(Way.values());
    private static final List<Closer> CLOSERS = List.of(Closer.values());

    static CancelCase next(long number, SplittableRandom random) {
        int depth = 1 + random.nextInt(8);
        boolean early = random.nextInt(4) == 0;
        List<Link> links = IntStream.range(0, depth)
                .mapToObj(level -> random.nextInt(3) > 0 ? Link.AGENT : LINKS.get(random.nextInt(LINKS.size())))
                .toList();
        boolean agent = links.getFirst() == Link.AGENT;
        boolean network = agent && random.nextInt(3) == 0;
        Moment moment = MOMENTS.get(random.nextInt(MOMENTS.size()));
        Way way = WAYS.get(random.nextInt(WAYS.size()));
        return new CancelCase(
                number,
                depth,
                moment,
                way,
                links,
                random.nextInt(3) == 0 ? random.nextInt(depth) : 0,
                Duration.ofNanos(random.nextLong(early ? 30_000_000 : random.nextInt(3) == 0 ? 1 : 3_000_000)),
                early,
                network,
                agent && random.nextInt(3) == 0,
                agent && !network && random.nextInt(3) == 0,
                CLOSERS.get(random.nextInt(CLOSERS.size())),
                agent && !network && way != Way.STREAM_CLOSE && random.nextBoolean());
    }

    /** Return how the run is to end. */
    StopReason.Cancelled end() {
        return new StopReason.Cancelled(way.by(), why());
    }

    /** Return the words of the caller that cancels it, if it is cancelled with some. */
    @Nullable
    String why() {
        return way == Way.RUNTIME_CANCEL && number % 2 == 0 ? "reason " + number : null;
    }

    /** Return whether the tasks are cancelled with the run. */
    boolean endsTasks() {
        return idle && way == Way.STREAM_CANCEL;
    }

    /** Return whether it has a task when it is cancelled; where tasks are cancelled too, it may be about to start. */
    boolean hasTask() {
        return task && depth > 1 && !early && !endsTasks();
    }

    /** Return the thread of the run. */
    String thread() {
        return "t" + number;
    }

    /** Return how an agent is reached. */
    Link link(int level) {
        return links.get(level - 1);
    }

    /** Return whether the run is that of a workflow. */
    boolean isWorkflow() {
        return link(1) != Link.AGENT;
    }

    /** Return how many runs stand on the path. */
    int runs() {
        return depth + links.stream().mapToInt(Link::workflows).sum();
    }

    /** Return what a model of the case is called. */
    String model(int level) {
        return "c" + number + "-" + level;
    }
}
