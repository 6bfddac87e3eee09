package dev.chargehand.testkit.provider;

import dev.chargehand.testkit.provider.reply.ChatJson;
import dev.chargehand.testkit.provider.reply.Finish;
import dev.chargehand.testkit.provider.reply.WirePlan;
import dev.chargehand.testkit.provider.request.Incoming;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import dev.chargehand.testkit.provider.request.RequestReader;
import dev.chargehand.testkit.provider.request.UnreadableRequestException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Serves one connection: one thread reads, another plays the reply.
 *
 * <p>The reader continues reading while a reply is played, so that it sees the client leave at once; what a client
 * sends early is kept until the reply has ended.
 */
final class ClientConnection {
    private final long id;
    private final Socket socket;
    private final Reception reception;
    private final ThreadFactory threads;
    private final ConnectionEnd end = new ConnectionEnd();
    private volatile @Nullable Thread player;

    ClientConnection(long id, Socket socket, Reception reception, ThreadFactory threads) {
        this.id = id;
        this.socket = socket;
        this.reception = reception;
        this.threads = threads;
    }

    /** Read until one side closes. */
    void serve() {
        try {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            RequestReader reader = new RequestReader(socket.getInputStream(), out);
            try {
                while (reader.awaitByte() && serveNext(reader, out)) {}
            } catch (UnreadableRequestException e) {
                reception.unreadable("connection " + id + ": " + e.getMessage());
                out.write(refusal(e));
                shut(Side.PROVIDER);
            }
        } catch (IOException e) {
            // Reset by the client, or closed by us: whichever came first is what counts below.
        } finally {
            shut(Side.CLIENT);
        }
    }

    /** Close from our side, regardless of other work. */
    void disconnect() {
        shut(Side.PROVIDER);
        Thread playing = player;
        if (playing != null) {
            playing.interrupt();
        }
    }

    private boolean serveNext(RequestReader reader, OutputStream out) throws IOException {
        Incoming incoming = reader.read();
        Reception.Assignment assignment = reception.receive(incoming, id, end);
        Thread playing = threads.newThread(() -> answer(assignment, out, incoming.lastOfConnection));
        player = playing;
        playing.start();
        boolean more = awaitMore(reader);
        if (!more) {
            shut(Side.CLIENT);
        }
        if (end.isOver()) {
            playing.interrupt();
        }
        try {
            playing.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return more;
    }

    private static boolean awaitMore(RequestReader reader) {
        try {
            return reader.awaitByte();
        } catch (IOException e) {
            return false;
        }
    }

    private void answer(Reception.Assignment assignment, OutputStream out, boolean last) {
        Exchange exchange = assignment.exchange();
        Ending ending;
        try {
            Finish finish = new ReplyPlayer(out, exchange, () -> reception.served(exchange)).play(plan(assignment));
            ending = finish == Finish.RESET || finish == Finish.HANG_UP ? Ending.CUT_BY_SCRIPT : Ending.COMPLETE;
            if (finish == Finish.RESET) {
                socket.setSoLinger(true, 0);
            }
            if (last || finish != Finish.KEEP_OPEN) {
                shut(Side.PROVIDER);
            }
        } catch (IOException | InterruptedException e) {
            shut(Side.CLIENT);
            ending = end.isBy(Side.CLIENT) ? Ending.CUT_BY_CLIENT : Ending.CUT_BY_PROVIDER;
        }
        reception.ended(exchange, ending);
    }

    /** A reply function is foreign code: what it throws is the test's to see, not the end of this thread. */
    private WirePlan plan(Reception.Assignment assignment) {
        ReceivedRequest request = assignment.exchange().request();
        try {
            return assignment.reply().apply(request).onWire(request).plan();
        } catch (RuntimeException | Error e) {
            String problem = "the function that answers " + request + " threw " + e + ".";
            return reception.unexpected(assignment.exchange(), problem).plan();
        }
    }

    private static byte[] refusal(UnreadableRequestException problem) {
        String body = ChatJson.error("LoopbackProvider: " + problem.getMessage(), problem.status());
        String head = "HTTP/1.1 " + problem.status() + " Refused\r\nConnection: close\r\nContent-Length: ";
        return (head + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII);
    }

    private void shut(Side by) {
        end.closed(by);
        try {
            socket.close();
        } catch (IOException e) {
            // The connection is gone either way.
        }
    }
}
