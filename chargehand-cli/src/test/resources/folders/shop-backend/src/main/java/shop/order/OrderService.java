package shop.order;

import java.time.Clock;
import java.time.Duration;

/** Accepts orders and cancels them. */
public final class OrderService {

    /** How long a customer may withdraw from an order. */
    static final Duration WITHDRAWAL = Duration.ofDays(14);

    private final OrderTable orders;
    private final Clock clock;

    OrderService(OrderTable orders, Clock clock) {
        this.orders = orders;
        this.clock = clock;
    }

    /**
     * Accept an order. An order without items is rejected, and so is one of more than 5,000 euros, which needs a call.
     *
     * @throws OrderRejectedException if it is rejected
     */
    public OrderNumber accept(Basket basket) {
        if (basket.isEmpty() || basket.total().isAbove(5_000)) {
            throw new OrderRejectedException(basket);
        }
        return orders.insert(basket, clock.instant());
    }

    /**
     * Cancel an order. The items go back to the stock, and the customer receives the money within three days.
     */
    public void cancel(OrderNumber number) {
        Order order = orders.get(number);

        if (order.placedAt().plus(WITHDRAWAL).isBefore(clock.instant())) {
            throw new TooLateException(number);
        }
        orders.markCancelled(number);
    }
}
