package dev.chargehand.server.internal.wire;

import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import java.util.List;

/** A protocol of existing clients: routes below one path, and the form of their errors. Thread-safe. */
public interface Wire {

    /** Return its name, such as {@code openai}. */
    String name();

    /** Return the path below which its routes are, such as {@code /v1}. */
    String prefix();

    /** Return its routes. */
    List<Route> routes();

    /** Return the answer to a request that is rejected, in the form that its clients read. */
    Reply.Whole rejected(ProblemException problem);
}
