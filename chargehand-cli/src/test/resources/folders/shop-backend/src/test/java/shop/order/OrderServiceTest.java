package shop.order;

/** How long a customer may withdraw, and which orders are rejected. Run the tests of the database with Docker. */
class OrderServiceTest {

    @Test
    void anOrderCanBeCancelledForFourteenDays() {
        service.cancel(order(days(14)));
    }

    @Test
    void anOrderOfMoreThanFiveThousandEurosIsRejected() {
        assertThrows(OrderRejectedException.class, () -> service.accept(basket(5_001)));
    }
}
