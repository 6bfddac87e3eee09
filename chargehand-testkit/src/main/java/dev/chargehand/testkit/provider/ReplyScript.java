package dev.chargehand.testkit.provider;

import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Which reply goes to which request. Guarded by the lock of {@link Reception}.
 *
 * <p>A request that a route claims never takes from the common queue, not even when the route has run out: a reply
 * stolen from another agent would fail a test somewhere else. For the same reason embeddings requests have a queue and a
 * fallback of their own.
 */
final class ReplyScript {
    private final List<Route> routes = new CopyOnWriteArrayList<>();
    private final Deque<Reply> common = new ArrayDeque<>();
    private final Deque<Reply> embeddings = new ArrayDeque<>();
    private Optional<Function<ReceivedRequest, Reply>> fallback = Optional.empty();
    private Function<ReceivedRequest, Reply> embeddingsFallback = Reply::hashedWords;

    /** Replies for the requests of one kind: first those in the queue, then those of the function. */
    private record Route(
            Predicate<ReceivedRequest> claims,
            Deque<Reply> queue,
            Optional<Function<ReceivedRequest, Reply>> function) {

        Optional<Function<ReceivedRequest, Reply>> next() {
            Reply reply = queue.poll();
            return reply == null ? function : Optional.of(request -> reply);
        }
    }

    void enqueue(List<Reply> replies) {
        common.addAll(replies);
    }

    void enqueueEmbeddings(List<Reply> replies) {
        embeddings.addAll(replies);
    }

    void embeddingsFallback(Function<ReceivedRequest, Reply> function) {
        embeddingsFallback = function;
    }

    void on(Predicate<ReceivedRequest> claims, List<Reply> replies) {
        routes.add(new Route(claims, new ArrayDeque<>(replies), Optional.empty()));
    }

    void on(Predicate<ReceivedRequest> claims, Function<ReceivedRequest, Reply> function) {
        routes.add(new Route(claims, new ArrayDeque<>(), Optional.of(function)));
    }

    void fallback(Function<ReceivedRequest, Reply> function) {
        fallback = Optional.of(function);
    }

    /** May be asked without the lock. */
    boolean hasRoutes() {
        return !routes.isEmpty();
    }

    Optional<Function<ReceivedRequest, Reply>> next(ReceivedRequest request) {
        boolean claimed = false;
        for (Route route : routes) {
            if (route.claims().test(request)) {
                claimed = true;
                Optional<Function<ReceivedRequest, Reply>> reply = route.next();
                if (reply.isPresent()) {
                    return reply;
                }
            }
        }
        boolean embeds = request.isEmbeddings();
        Reply reply = claimed ? null : (embeds ? embeddings : common).poll();
        if (reply != null) {
            return Optional.of(any -> reply);
        }
        return embeds ? Optional.of(embeddingsFallback) : fallback;
    }

    int unused() {
        return common.size()
                + embeddings.size()
                + routes.stream().mapToInt(route -> route.queue().size()).sum();
    }
}
