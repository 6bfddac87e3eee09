package dev.chargehand.server.internal.binding;

import dev.chargehand.server.internal.http.Deadline;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * A connection of Helidon that is closed if the head of a request takes too long, from when the connection was accepted or, for later
 * requests, from their first byte: Helidon has no limit for that, and its time limit for reads is not used by its server. Used by the
 * virtual thread that Helidon has for each connection.
 */
final class HelidonConnection implements ConnectionContext {

    private static final ThreadLocal<HelidonConnection> CURRENT = new ThreadLocal<>();

    private final ConnectionContext connection;
    private final Duration time;
    private final FirstLine firstLine;
    private final DataReader reader;
    private @Nullable Deadline head;
    private boolean betweenRequests;
    private boolean lineRead;

    /** Make it, and start to wait for the first request. */
    HelidonConnection(ConnectionContext connection, Duration time) {
        this.connection = connection;
        this.time = time;
        this.firstLine = new FirstLine(this::read);
        this.reader = DataReader.create(firstLine);
        this.head = Deadline.within(time);
        CURRENT.set(this);
    }

    /** Return the connection of this thread. */
    static HelidonConnection current() {
        return CURRENT.get();
    }

    /** Return whether its client uses HTTP/1.0, and so does not understand a body in chunks. */
    boolean isOld() {
        return firstLine.isOld();
    }

    /** Return whether the first line of the present request was read. */
    boolean isLineRead() {
        return lineRead;
    }

    /** Note that the first line of a request was read. */
    void lineArrived() {
        lineRead = true;
        startHead();
    }

    /** Note that the headers of a request were read. */
    void headArrived() {
        Deadline deadline = head;
        head = null;
        if (deadline != null && !deadline.end()) {
            throw new CloseConnectionException("The head of a request did not arrive within " + time + ".");
        }
    }

    /** Note that a request was answered. The start of the next one may have come with it. */
    void answered() {
        lineRead = false;
        if (reader.available() > 0) {
            startHead();
        } else {
            betweenRequests = true;
        }
    }

    private void startHead() {
        betweenRequests = false;
        if (head == null) {
            head = Deadline.within(time);
        }
    }

    private byte @Nullable [] read() {
        DataReader source = connection.dataReader();
        try {
            source.ensureAvailable();
        } catch (DataReader.InsufficientDataAvailableException e) {
            return null;
        }
        if (betweenRequests) {
            startHead();
        }
        return source.readBytes(source.available());
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }

    @Override
    public ListenerContext listenerContext() {
        return connection.listenerContext();
    }

    @Override
    public ExecutorService executor() {
        return connection.executor();
    }

    @Override
    public DataWriter dataWriter() {
        return connection.dataWriter();
    }

    @Override
    public Router router() {
        return connection.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return connection.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
        return connection.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
        return connection.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return connection.localPeer();
    }

    @Override
    public boolean isSecure() {
        return connection.isSecure();
    }

    @Override
    public String socketId() {
        return connection.socketId();
    }

    @Override
    public String childSocketId() {
        return connection.childSocketId();
    }
}
